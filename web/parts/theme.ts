// Light, dark, or as the system says: one attribute on the page, remembered in this browser.
import { signal } from "@preact/signals";

type Theme = "system" | "light" | "dark";
const KEY = "lw-theme";

const themeOf = (text: string | null): Theme => (text === "light" || text === "dark" ? text : "system");

export const theme = signal<Theme>(themeOf(localStorage.getItem(KEY)));

export function switchTheme(wish: string): void {
  theme.value = themeOf(wish);
  if (theme.value === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.value);
  applyTheme();
}

export function applyTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}
