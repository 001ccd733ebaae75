export default { build: { lib: { entry: "main.ts", formats: ["es"], fileName: "main" }, outDir: "out" } };
