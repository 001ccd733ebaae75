// The conformance suite against CONFORMANCE_URL; vitest's -t chooses the groups that are about reading.
import { runConformanceTests } from "@durable-streams/server-conformance-tests";

runConformanceTests({ baseUrl: process.env.CONFORMANCE_URL });
