// `node build_with_webpack.cjs PATH`: bundles main.js with the webpack of that path.
const webpack = require(process.argv[2]);

const configuration = {
  mode: "production",
  entry: "./main.js",
  experiments: { outputModule: true },
  output: { path: `${__dirname}/out`, filename: "main.js", library: { type: "module" } },
};

webpack(configuration, (error, stats) => {
  if (!error && !stats.hasErrors()) return;
  console.error(error ?? stats.toString("errors-only"));
  process.exitCode = 1;
});
