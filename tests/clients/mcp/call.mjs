// Connects to an MCP server as a released client does, and prints what it hears: node call.mjs TASK (JSON)
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const task = JSON.parse(process.argv[2])
const require = createRequire(`${task.installed}/package.json`)
const load = (name) => import(pathToFileURL(require.resolve(name)))

async function client() {
  if (task.package === 'sdk') {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js')
    return [new Client({ name: 'test', version: '1' }), StreamableHTTPClientTransport]
  }
  const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client')
  const versionNegotiation = { mode: task.mode }
  return [new Client({ name: 'test', version: '1' }, { versionNegotiation }), StreamableHTTPClientTransport]
}

const [mcp, Transport] = await client()
const errors = []
mcp.onerror = (error) => errors.push(String(error))
const headers = { Authorization: `Bearer ${task.token}` }
await mcp.connect(new Transport(new URL(task.url), { requestInit: { headers } }))
const { tools } = await mcp.listTools()
const progress = []
const call = (name, args) =>
  task.package === 'sdk'
    ? mcp.callTool({ name, arguments: args }, undefined, { onprogress: (each) => progress.push(each.message) })
    : mcp.callTool({ name, arguments: args }, { onprogress: (each) => progress.push(each.message) })
const answer = await call('ask_assistant', { message: 'What can you do?' })
const cast = await call('cast_hexagram', { question: 'Should I change my job?' })
const { resources } = await mcp.listResources()
const read = await mcp.readResource({ uri: resources[0].uri })
await mcp.close()
console.log(JSON.stringify({ tools: tools.map((tool) => tool.name), progress, answer, cast, resources, read, errors }))
