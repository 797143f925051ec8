import { findRun } from "../../app/records/find-run.ts";
import { reportMatter } from "../../app/records/report.ts";
import { reportHtml } from "../../receipts/report-html.ts";
import { reportMarkdown } from "../../receipts/report-markdown.ts";
import { resultOfReceipt } from "../../receipts/report-page.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withHouse } from "../with-house.ts";
import { writePage } from "../write-page.ts";

export const report: Command = (call) =>
  withHouse(call, async (house) => {
    const matter = await reportMatter(house, await findRun(house, call.args[0]!));
    const { html, out } = call.options;
    const text = html === true ? reportHtml(matter) : reportMarkdown(matter);
    if (typeof out === "string") await writePage(call, out, text);
    if (wantsJson(call)) printJson(call, { run: matter.receipt.run, result: resultOfReceipt(matter.receipt), report: text });
    else if (typeof out !== "string") call.io.out(text);
    return "done";
  });
