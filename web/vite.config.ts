// How the page is built: plain files under one folder, nothing inlined, so that a strict content policy holds.
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  publicDir: "public",
  // Whoever builds it, and for whatever: a page for development would name the files of the machine it was made on.
  mode: "production",
  esbuild: { jsx: "automatic", jsxDev: false, jsxImportSource: "preact", legalComments: "none" },
  define: { "process.env.NODE_ENV": '"production"' },
  worker: { format: "es" },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    // What is inlined would need a policy that allows it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    sourcemap: false,
  },
});
