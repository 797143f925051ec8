// How many tokens a text has, by an estimate that is rather too high: English prose has four bytes to a token, code somewhat fewer.

const BYTES_A_TOKEN = 3;

export const estimateTokens = (text: string): number => Math.ceil(new TextEncoder().encode(text).length / BYTES_A_TOKEN);
