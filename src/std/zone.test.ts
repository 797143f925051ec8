import { expect, it } from "vitest";
import { instantsOf, labelAt, showLabel, zoneOf, zoneProblem } from "./zone.ts";

const at = (text: string): number => Date.parse(text);
const zone = (name: string) => zoneOf(name)!;
const shown = (name: string, label: string): readonly string[] =>
  instantsOf(zone(name), at(label)).map((instant) => new Date(instant).toISOString().slice(0, 16));

it("knows one instant for a label, none in a gap, and two where an hour comes twice", () => {
  expect(shown("Europe/Berlin", "2026-07-01T12:00Z")).toEqual(["2026-07-01T10:00"]);
  expect(shown("Europe/Berlin", "2026-03-29T02:30Z")).toEqual([]);
  expect(shown("Europe/Berlin", "2026-10-25T02:30Z")).toEqual(["2026-10-25T00:30", "2026-10-25T01:30"]);
  expect(shown("Pacific/Apia", "2011-12-30T12:00Z")).toEqual([]);
});

it("says where a stretch begins, and up to which label everything was shown or lost", () => {
  expect(zone("Europe/Berlin").stretchAt(at("2026-03-29T01:00Z"))).toEqual({
    from: at("2026-03-29T01:00Z"),
    until: at("2026-10-25T01:00Z"),
    offset: 2 * 3_600_000,
    reached: at("2026-03-29T02:00Z"),
  });
  expect(zone("Europe/Berlin").stretchAt(at("2026-10-25T01:00Z"))).toEqual({
    from: at("2026-10-25T01:00Z"),
    until: at("2027-01-01T00:00Z"),
    offset: 3_600_000,
    reached: at("2026-10-25T03:00Z"),
  });
});

it("remembers over the end of a year which labels were shown before", () => {
  // Its clocks were set back by an hour in the evening of the last day of 2009.
  const dhaka = zone("Asia/Dhaka");
  const first = dhaka.stretchAt(at("2010-01-01T00:00Z"));

  expect(first.offset).toBe(6 * 3_600_000);
  expect(first.reached).toBe(at("2010-01-01T06:00Z"));
  expect(shown("Asia/Dhaka", "2009-12-31T23:30Z")).toEqual(["2009-12-31T16:30", "2009-12-31T17:30"]);
});

it("shows a label with its zone", () => {
  expect(showLabel(zone("America/New_York"), at("2026-07-01T12:34:56Z"))).toBe("2026-07-01T08:34 America/New_York");
  expect(labelAt(zone("Africa/Monrovia"), at("1971-01-01T00:44:30Z"))).toBe(at("1971-01-01T00:00Z"));
});

it("goes on outside of the years that it knows as on their edges", () => {
  expect(labelAt(zone("Asia/Kolkata"), at("2150-01-01T00:00Z"))).toBe(at("2150-01-01T05:30Z"));
  expect(labelAt(zone("Asia/Kolkata"), at("1950-01-01T00:00Z"))).toBe(at("1950-01-01T05:30Z"));
});

it("knows zones by their names only, and guesses which was meant", () => {
  expect(["UTC", "Europe/Berlin", "Etc/GMT+5"].map(zoneProblem)).toEqual([undefined, undefined, undefined]);
  expect(zoneProblem("")).toBe("is empty, and no zone is taken from the machine: write UTC to mean that");
  expect(zoneProblem("Europe/Berlim")).toBe("is no time zone that is known here; Europe/Berlin is one, and sounds like it");
  expect(zoneProblem("+01:00")).toBe("is no time zone that is known here");
  expect(zoneProblem("Mars/Olympus")).toBe("is no time zone that is known here");
});

it("makes one table for a zone, whoever asks", () => {
  expect(zoneOf("Asia/Gaza")).toBe(zoneOf("Asia/Gaza"));
  expect(zone("Asia/Gaza").stretchAt(at("2026-05-05T00:00Z"))).toBe(zone("Asia/Gaza").stretchAt(at("2026-05-05T01:00Z")));
});
