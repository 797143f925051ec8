// Hearing requests: a small server of our own, bounded in everything that strangers could use up.
export interface ServerHead {
  readonly method: string;
  /** Without what follows a question mark. */
  readonly path: string;
  /** Names are in small letters; what came twice is one text. */
  readonly headers: { readonly [name: string]: string };
}

export interface ServerRequest extends ServerHead {
  /** The bytes as they were sent. */
  readonly body: Uint8Array;
}

export interface ServerReply {
  readonly status: number;
  /** Sent as JSON. */
  readonly says?: { readonly [name: string]: string };
}

export interface ServerLimits {
  readonly mostHeaderBytes: number;
  readonly mostBodyBytes: number;
  /** Of all bodies that are being read or answered at one time. */
  readonly mostBytesAtOnce: number;
  readonly mostConnections: number;
  /** How long a sender may take for its head, and for all of its request. */
  readonly headMs: number;
  readonly requestMs: number;
}

export interface ServerWishes {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: ServerLimits;
  /** Asked before anything of a body is read: an answer given here is all that the sender gets. */
  readonly refuse: (head: ServerHead) => ServerReply | undefined;
  readonly answer: (request: ServerRequest) => Promise<ServerReply>;
}

export interface Serving {
  readonly host: string;
  readonly port: number;
  /** Takes no new request, lets those be answered that were read, and cuts off the others. */
  close(): Promise<void>;
}

export interface Server {
  listen(wishes: ServerWishes): Promise<Serving>;
}
