// Whether the chain is whole: asked once, and again until the whole journal was looked at.
import { useEffect } from "preact/hooks";
import type { VerificationView } from "../../src/contract/api.ts";
import { type Resource, useResource } from "./resource.ts";

const ASK_AGAIN_MS = 1500;

export function useVerification(): Resource<VerificationView> {
  const verification = useResource<VerificationView>("/api/ledger/verification", ({ kind }) => kind === "checkpointed");
  const state = verification.value?.state;
  useEffect(() => {
    if (state !== "looking") return;
    const timer = setInterval(verification.again, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [state]);
  return verification;
}
