// Personal data that can be told by its form: mail addresses, phone, card, account and social security numbers. Pure.

export interface PersonalSpan {
  readonly kind: "mail" | "phone" | "card" | "account" | "social-security";
  readonly from: number;
  readonly to: number;
}

/** Each form is short and bounded, so that no text takes longer than in proportion to its length. */
const FORMS: readonly { readonly kind: PersonalSpan["kind"]; readonly form: RegExp; readonly isOne: (found: string) => boolean }[] = [
  {
    kind: "mail",
    form: /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/gi,
    isOne: (found) => !/@(?:[\w.-]+\.)?(?:example|test|invalid|localhost)(?:\.\w+)?$/i.test(found) && !/^git@/.test(found),
  },
  { kind: "account", form: /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])/g, isOne: isAccount },
  { kind: "card", form: /(?<![\d-]|\d\.)\d(?:[ -]?\d){12,18}(?![\d-]|\.\d)/g, isOne: isCard },
  {
    kind: "social-security",
    form: /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/g,
    isOne: (found) => !/^(?:000|666|9\d\d)|-00-|-0000$/.test(found),
  },
  {
    kind: "phone",
    form: /(?<![\w+.])\+\d{1,3}(?:[ ./-]?\(?\d{1,4}\)?){2,5}(?![\w])/g,
    isOne: (found) => digits(found).length >= 9 && digits(found).length <= 15,
  },
];

/** In order, none of them in another. */
export function findPersonal(text: string): readonly PersonalSpan[] {
  const all = FORMS.flatMap(({ kind, form, isOne }) =>
    [...text.matchAll(form)].flatMap((match) => (isOne(match[0]) ? [{ kind, from: match.index, to: match.index + match[0].length }] : [])),
  );
  return all
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
    .reduce<PersonalSpan[]>((kept, span) => {
      if ((kept.at(-1)?.to ?? 0) <= span.from) kept.push(span);
      return kept;
    }, []);
}

export const withoutPersonal = (text: string): string =>
  findPersonal(text).reduceRight((left, { kind, from, to }) => `${left.slice(0, from)}[personal:${kind}]${left.slice(to)}`, text);

const digits = (text: string): string => text.replace(/\D/g, "");

/** By its check digit, and as payment cards begin. */
function isCard(found: string): boolean {
  const plain = digits(found);
  if (!/^(?:3[47]|4|5[1-5]|2[2-7]|6)/.test(plain)) return false;
  const sum = [...plain].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** By its check digits, as ISO 13616 has it. */
function isAccount(found: string): boolean {
  const plain = found.replaceAll(" ", "");
  if (plain.length < 15 || plain.length > 34) return false;
  const turned = `${plain.slice(4)}${plain.slice(0, 4)}`;
  const rest = [...turned].reduce((sum, char) => Number(`${sum}${Number.parseInt(char, 36)}`) % 97, 0);
  return rest === 1;
}
