// What the dashboard takes of the world: the built page, artifacts piece by piece, and a server that speaks in requests and responses.

/** One file of the built page. */
export interface WebFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name has its hash in it: it never changes. */
  readonly isImmutable: boolean;
}

export interface WebFiles {
  /** By its path, which begins with a slash; undefined where there is none. */
  get(path: string): WebFile | undefined;
}

/** Bytes by their hash, for who wants a part of them. */
export interface ArtifactPieces {
  /** How many there are; undefined where there are none, or where they are not those of the hash any more. */
  size(sha256: string): Promise<number | undefined>;
  /** From one byte up to another, the last left out, in pieces of bounded size. */
  read(sha256: string, from: number, to: number): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Answers one request. It never throws. */
export type Answering = (request: Request) => Promise<Response>;

/** Answers programs that ask this home over a protocol of their own, beside the page. Who may ask has been looked at, and the body is bounded. */
export interface AgentDoor {
  /** Whose key it was; undefined for whoever has the token of the home. */
  answer(request: Request, agent: string | undefined): Promise<Response>;
  close(): Promise<void>;
}

export interface WebServerWishes {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** PEM of a certificate and its key. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly answer: Answering;
  /** How long a sender may take for its head and for all of its request. */
  readonly patience?: { readonly headMs: number; readonly requestMs: number };
}

export interface WebServing {
  readonly host: string;
  readonly port: number;
  /** Takes no new request and cuts off those that go on. */
  close(): Promise<void>;
}

export interface WebServer {
  listen(wishes: WebServerWishes): Promise<WebServing>;
}

/** Where a home's dashboard is served, for `lw open`. */
export interface WebPlace {
  readonly url: string;
  readonly pid: number;
}

/** A spec that comes with this program, to begin with. */
export interface ReadySpec {
  readonly name: string;
  readonly text: string;
}

/** Where something new may be written: a name in a folder that lies right in another one, and is made where it is not there. */
export interface NewPlace {
  readonly root: string;
  readonly folder: string;
  readonly name: string;
}

/** Files that are new: what is there already is never changed, and no link is followed. */
export interface NewFiles {
  write(place: NewPlace, text: string): Promise<"written" | "there">;
}

/** What the dashboard has of its home. */
export interface WebHome {
  /** Whoever has it may look and decide. Only the home's owner can read it. */
  readonly token: string;
  readonly files: WebFiles | undefined;
  readonly pieces: ArtifactPieces;
  readonly readySpecs: () => readonly ReadySpec[];
  readonly newFiles: NewFiles;
  readonly server: WebServer;
  /** Tells `lw open` where it is; undefined when it is over. */
  readonly tell: (place: WebPlace | undefined) => Promise<void>;
  /** Files that somebody named, such as certificates. */
  readonly readText: (path: string) => Promise<string>;
  readonly pid: number;
}

/** What follows the number sign stays in the browser: no server and no log sees it. */
export const linkTo = (url: string, token: string): string => `${url}/#token=${token}`;
