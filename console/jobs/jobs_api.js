/** Calls the routes of automation jobs. A job comes with its ETag, which a change sends as If-Match. */
const JOBS = "/api/v1/automation/jobs";
const path = (id, rest = "") => `${JOBS}/${encodeURIComponent(id)}${rest}`;

async function withTag(response) {
  return { job: await response.json(), etag: response.headers.get("ETag") };
}

/** Send If-Match with this version; nothing where a proxy removed the ETag. */
const match = (etag) => (etag ? { "If-Match": etag } : {});

export const listJobs = async (api, signal) => (await (await api.request(JOBS, { signal })).json()).jobs;
export const readJob = async (api, id, signal) => withTag(await api.request(path(id), { signal }));
export const createJob = async (api, fields) => withTag(await api.request(JOBS, { method: "POST", json: fields }));
export const changeJob = async (api, id, etag, fields) =>
  withTag(await api.request(path(id), { method: "PATCH", json: fields, headers: match(etag) }));
export const deleteJob = (api, id, etag) => api.request(path(id), { method: "DELETE", headers: match(etag) });

/** Run it now; a repeated `runId` is the same run. */
export const runJob = async (api, id, runId) => (await api.request(path(id, "/run"), { method: "POST", json: { runId } })).json();
export const newRunId = (id) => `job-${id}-now-${crypto.randomUUID()}`;

export async function listRuns(api, id, cursor, signal) {
  const query = new URLSearchParams({ limit: "10", ...(cursor && { cursor }) });
  return (await api.request(path(id, `/runs?${query}`), { signal })).json();
}
