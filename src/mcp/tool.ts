// What a tool of the server is: its words, what it may be asked with, and the one function that answers. No kind of doing among them decides anything.
import type { z } from "zod";
import type { Asking, Desk } from "./desk.ts";

/**
 * `reads`: what is on record. `asks`: guard or referee are asked, and nothing moves. `moves`: what the protocol may move: a loop begins, a
 * question is answered. There is no word for yes.
 */
export type Doing = "reads" | "asks" | "moves";

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly doing: Doing;
  readonly asks: z.ZodObject;
  readonly answer: (desk: Desk, asked: unknown, asking: Asking) => Promise<object>;
}

/** What it is asked with has been read by exactly its schema. */
export const tool = <S extends z.ZodObject>(row: {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly doing: Doing;
  readonly asks: S;
  readonly answer: (desk: Desk, asked: z.output<S>, asking: Asking) => Promise<object>;
}): Tool => ({ ...row, answer: (desk, asked, asking) => row.answer(desk, asked as z.output<S>, asking) }); // parsed by this schema
