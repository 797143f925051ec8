// Why a request was not taken, in the form of the protocol.
import type { RequestId } from "@modelcontextprotocol/server";

export const [PARSE_ERROR, INVALID_REQUEST, TOO_MUCH] = [-32700, -32600, -32000] as const;

export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly says: string;
  readonly id?: RequestId;
}

export const refuseHttp = ({ status, code, says, id }: HttpRefusal): Response =>
  Response.json({ jsonrpc: "2.0", id: id ?? null, error: { code, message: says } }, { status });
