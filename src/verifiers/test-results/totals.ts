// Totals that no run can have, such as NaN or less than nothing: no runner counted them, and so they prove nothing.
const MOST = 999_999_999;
const WHOLE_NUMBER = /^\d{1,9}$/;

/** What stands for a number. Words are left alone: people print sentences that look like a runner's. */
const NUMBER_LIKE = /^[-+]?(?:nan|inf(?:inity)?|0x[\da-f]+|\.?\d[\d.,_]*(?:e[-+]?\d+)?)$/i;
const MOST_WORD = 400;

export const isImpossible = (word: string): boolean =>
  !WHOLE_NUMBER.test(word) && (word.length > MOST_WORD ? /^[-+]?\d/.test(word) : NUMBER_LIKE.test(word));

export const isTotal = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST;

export const tellImpossible = (total: unknown, of: string): string =>
  `it counts ${JSON.stringify(String(total).slice(0, 40))} ${of}, which no run can have`;
