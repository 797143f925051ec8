// Requests to servers, and letters.
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
