// lw report: the proof report of a run, as Markdown or as a page.
import { findRun } from "../../app/records/find-run.ts";
import { reportMatter } from "../../app/records/report.ts";
import { reportHtml } from "../../receipts/report-html.ts";
import { reportMarkdown } from "../../receipts/report-markdown.ts";
import { resultOfReceipt } from "../../receipts/report-page.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { writePage } from "../write-page.ts";

export const report: Command = (call) =>
  withRecords(call, async (records) => {
    const matter = await reportMatter(records, await findRun(records, call.args[0]!), call.version);
    const { html, out } = call.options;
    const text = html === true ? reportHtml(matter) : reportMarkdown(matter);
    if (typeof out === "string") await writePage(call, out, text);
    if (wantsJson(call)) printJson(call, { run: matter.receipt.run, result: resultOfReceipt(matter.receipt), report: text });
    else if (typeof out !== "string") call.io.out(text);
    return "done";
  });
