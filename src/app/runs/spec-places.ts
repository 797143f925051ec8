// Where specs usually lie, and what they are called.

export const ENDINGS = [".loop.yaml", ".loop.yml", ".loop.json"];
export const FOLDERS = [".", ".loopwright", "loops"];
