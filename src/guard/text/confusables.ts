// Letters that look like others: what is written with them is read as what it looks like.

const SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ";
const SMALL_CAPITALS_MEAN = "abcdefghijklmnoprstuvwyz";
const TRADITIONAL =
  "無視覆蓋執行當從現開發規則設內這們說書電腦資訊檔傳輸寫記憶對話過濾輸顯洩絕違遵貼調啟動運營實驗證審計預測試關閉刪個戶帳號醫療銀聯繫應該須務請麼麻煩給讓與為將變環境變數統詞語鑰憑據";
const SIMPLIFIED =
  "无视覆盖执行当从现开发规则设内这们说书电脑资讯档传输写记忆对话过滤输显泄绝违遵贴调启动运营实验证审计预测试关闭删个户帐号医疗银联系应该须务请么麻烦给让与为将变环境变数统词语钥凭据";

/** One letter for another wherever it stands: nobody writes words of a language with these. */
const ALWAYS = new Map<string, string>([
  ...pairs(SMALL_CAPITALS, SMALL_CAPITALS_MEAN),
  ...pairs(TRADITIONAL, SIMPLIFIED),
  ...range(0x1f150, "abcdefghijklmnopqrstuvwxyz"),
  ...range(0x1f170, "abcdefghijklmnopqrstuvwxyz"),
  ...range(0x1f1e6, "abcdefghijklmnopqrstuvwxyz"),
  ["ß", "ss"],
  ["ı", "i"],
  ["ɑ", "a"],
  ["ɡ", "g"],
  ["ǃ", "!"],
  ["ł", "l"],
  ["ø", "o"],
  ["đ", "d"],
]);

/** Greek and Cyrillic letters that pass for Latin ones, when a word is not of their own language. */
const IN_LATIN_WORDS = new Map<string, string>([
  ...pairs("авекмнорстухіјѕԁһԛԝѵүӏгпшли", "abekmhopctyxijsdhqwvylrnwlu"),
  ...pairs("αβγδεζηικλμνορστυχω", "abydeznikluvopotuxw"),
  ["ς", "s"],
  ["ѓ", "r"],
  ["ո", "n"],
  ["օ", "o"],
  ["ս", "u"],
  ["ց", "g"],
  ["հ", "h"],
  ["ӕ", "ae"],
]);

const LEET = new Map<string, string>([
  ["0", "o"],
  ["1", "i"],
  ["2", "z"],
  ["3", "e"],
  ["4", "a"],
  ["5", "s"],
  ["6", "g"],
  ["7", "t"],
  ["8", "b"],
  ["9", "g"],
  ["@", "a"],
  ["$", "s"],
  ["!", "i"],
  ["|", "l"],
  ["€", "e"],
  ["+", "t"],
]);

const ALWAYS_LETTERS = new RegExp(`[${[...ALWAYS.keys()].join("")}]`, "gu");

export const plainLetters = (text: string): string => text.replace(ALWAYS_LETTERS, (letter) => ALWAYS.get(letter)!);

/** Undefined when a letter has no Latin look-alike. */
export function asLatin(word: string): string | undefined {
  let latin = "";
  for (const letter of word) {
    const meant = letter < "\u0080" ? letter : IN_LATIN_WORDS.get(letter);
    if (meant === undefined) return undefined;
    latin += meant;
  }
  return latin;
}

/** The two readings of digits and signs in the place of letters: 1 is an i or an l. */
export function withoutLeet(word: string): readonly [string, string] {
  const read = [...word].map((letter) => LEET.get(letter) ?? letter).join("");
  return [read, [...word].map((letter) => (letter === "1" || letter === "!" ? "l" : (LEET.get(letter) ?? letter))).join("")];
}

export const rot13 = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));

function pairs(from: string, to: string): readonly (readonly [string, string])[] {
  const meant = [...to];
  return [...from].map((letter, index) => [letter, meant[index]!] as const);
}

function range(first: number, letters: string): readonly (readonly [string, string])[] {
  return [...letters].map((letter, index) => [String.fromCodePoint(first + index), letter] as const);
}
