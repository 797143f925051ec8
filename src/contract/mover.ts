/** Why something was not moved, as a value: nothing happened, and this is what to do. */
export interface NotMoved {
  readonly kind: "refused";
  readonly why: string;
  readonly hint: string;
}

/** A branch of the target, to be moved from one commit to another. */
export interface BranchMove {
  /** As the spec names base: a branch, and nothing else can be moved. */
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly because: string;
}

/** A branch of another repository, to be moved the same way. */
export interface RemoteMove {
  readonly remote: string;
  readonly branch: string;
  /** What the other side must have there; undefined when it must have nothing. */
  readonly from: string | undefined;
  readonly to: string;
  /** Sent as it is to an https address, and never shown. */
  readonly token?: string | undefined;
}

/** The only hands that move branches of the target, or send any of it away. They never force. */
export interface Mover {
  /** The commit at the tip of a local branch, by its full name and no other. */
  branchTip(repo: string, branch: string): Promise<string | undefined>;
  treeOf(repo: string, commit: string): Promise<string>;
  /** Whether a commit can be reached from a tip. */
  contains(repo: string, tip: string, commit: string): Promise<boolean>;
  /** Whether the move could be made now. */
  canFastForward(repo: string, move: BranchMove): Promise<{ readonly kind: "ready" } | NotMoved>;
  /** Looks again, and moves the branch only if it still is where it was. */
  fastForward(repo: string, move: BranchMove): Promise<{ readonly kind: "moved" } | NotMoved>;
  remoteTip(repo: string, at: Pick<RemoteMove, "remote" | "branch" | "token">): Promise<string | undefined>;
  push(repo: string, move: RemoteMove): Promise<{ readonly kind: "moved" } | NotMoved>;
}

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly timeoutMs: number;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** At most a mebibyte of it. */
  readonly body: string;
}

/** One request, one answer: no redirects are followed and nothing is sent again. */
export interface Http {
  send(request: HttpRequest): Promise<HttpReply>;
}

export interface Letter {
  readonly host: string;
  readonly port: number;
  readonly security: "tls" | "starttls" | "none";
  readonly login?: { readonly user: string; readonly password: string };
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Mail {
  send(letter: Letter): Promise<void>;
}
