// The meanings the scanner knows. A signal asks for several of them close together; none of them says anything alone.

export const CONCEPTS = [
  /** To set orders aside: ignore, forget, "stop following". */
  "override",
  /** The same where the verb comes last, or says it of the orders: "are void", 無視. */
  "setaside",
  /** To be no longer held by something: "not bound by". */
  "unbound",
  /** What came before, said outright: previous, above. */
  "prior",
  /** What its reader heard before: "you were told". */
  "told",
  /** The whole of something: all, any, other, original. */
  "whole",
  /** What a model is told: instructions, guidelines, prompt. */
  "instruction",
  /** What may also bind a program: rules, policy, restrictions. */
  "rule",
  /** What was said or asked for: messages, context, task. */
  "matter",
  /** What keeps a model decent: safety, ethics, guardrails. */
  "safety",
  /** The text a model was set up with. */
  "setup",
  /** The same, said to its owner's face: "your prompt". */
  "ownsetup",
  "reveal",
  /** To take on a part: "act as", "enter … mode". */
  "persona",
  /** To be told who one is: "you are now", "pretend to be". */
  "become",
  "unrestricted",
  /** A model, an assistant, a chatbot. */
  "ai",
  /** A call for somebody to listen. */
  "attention",
  "you",
  "conceal",
  /** Without being seen: silently, secretly. */
  "unseen",
  /** The text's own words: "this note". */
  "itself",
  /** The people a model works for. */
  "person",
  /** To set the user's wishes aside. */
  "disloyal",
  "secret",
  /** Where a reader's words can be seen by others: a reply, a commit message. */
  "outlet",
  "send",
  /** The same in words that are also things: mail, post, report. */
  "mail",
  /** A place outside: an address, a link, a webhook. */
  "destination",
  /** The address of somebody's mail. */
  "mailbox",
  "run",
  "tool",
  /** To obey: "follow these instructions". */
  "order",
  /** Orders that replace others: "new instructions", "your real task". */
  "neworder",
  /** To say only so much: "reply only with". */
  "parrot",
  "urgent",
  "authority",
  "permission",
  /** What judges the work: tests, reviews, policy, budget. */
  "check",
  "disable",
  /** To say that work was proven when it was not. */
  "feign",
  /** The judgement that somebody wants to hear. */
  "praise",
  "persist",
  /** What a model reads again another day. */
  "memory",
  "request",
  "mine",
  "fetch",
  /** What belongs to a person: accounts, records, messages. */
  "private",
  /** To move what is somebody's: pay, delete, grant. */
  "act",
  /** What a model is about to say. */
  "answer",
  "shape",
  /** Talk about attacks, as in a manual against them. */
  "discussion",
  /** What may be a model or a program: agent, bot. */
  "agent",
  /** An AI called by what it is: "any model reading this". */
  "called",
  /** Leave that somebody is said to have given already. */
  "granted",
  /** Not to ask first: "skip confirmation". */
  "unasked",
  /** What nobody does without asking: force push, drop the table. */
  "drastic",
  /** That everything is allowed: "full access". */
  "openup",
  /** That the rules or the task have changed: "policy has been updated". */
  "newpolicy",
  /** What its reader is held by: "your own budget". */
  "ownlimit",
  /** In order to be judged well: "to pass verification". */
  "topass",
  /** To write something down for later: "save it to". */
  "keep",
  /** A file of standing orders: AGENTS.md. */
  "standing",
  /** Other days and other readers: "all future sessions". */
  "future",
  /** Always and never. */
  "forever",
  /** Not to let people know, said outright. */
  "hush",
  /** What people are told afterwards: summary, changelog. */
  "report",
  /** A judgement to be given: "approve this pull request". */
  "verdict",
] as const;

export type Concept = (typeof CONCEPTS)[number];

/** The words of one language. `*` at the end stands for any ending; words in one entry must follow each other. Entries part at commas. */
export type Lexicon = { readonly [concept in Concept]?: string };
