/** Of the description of the API. */

/**
 * A device of the caller: a browser has a `subscription`, an app a `token`.
 */
export type DeviceFields = ((WebDeviceFields | ApnsDeviceFields | FcmDeviceFields) & {
/**
 * @minItems 1
 * @maxItems 10
 */
events?: [("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]
/**
 * @maxItems 4
 */
include?: []|[("answer" | "question")]|[("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question"), ("answer" | "question")]
whileWatched?: boolean
name?: (string | null)
kind: ("web" | "apns" | "apns_sandbox" | "fcm")
subscription?: Subscription
token?: string
})

export interface Api {
AgentCapabilities: AgentCapabilities
AgentList: AgentList
Device: Device
DeviceFields: DeviceFields
DeviceList: DeviceList
/**
 * One event of a run, an AG-UI event, discriminated by `type`.
 */
Event: (RunStarted | RunFinished | RunError | StepStarted | StepFinished | TextMessageStart | TextMessageContent | TextMessageEnd | ToolCallStart | ToolCallArgs | ToolCallEnd | ToolCallResult | ReasoningStart | ReasoningMessageStart | ReasoningMessageContent | ReasoningMessageEnd | ReasoningEncryptedValue | ReasoningEnd | StateSnapshot | StateDelta | ActivitySnapshot | ActivityDelta | MessagesSnapshot | Custom | SubagentStarted | SubagentFinished | SubagentError | DivinationDerived)
InterruptAnswer: InterruptAnswer
InterruptList: InterruptList
OutcomeRequest: OutcomeRequest
Problem: Problem
WebDeviceFields: WebDeviceFields
/**
 * The input of a run, at most 256 KiB. Names may also be in snake_case.
 */
RunAgentInput: (AgentRunInput | DivinationRunInput | ResumeInput)
RunMessage: RunMessage
RunMessageAccepted: RunMessageAccepted
SessionOutcome: SessionOutcome
Snapshot: Snapshot
TaskAcceptedResponse: TaskAcceptedResponse
Usage: Usage
}
/**
 * What an agent can do, in AG-UI's words. A member that is left out is unknown, not denied.
 */
export interface AgentCapabilities {
identity?: IdentityCapabilities
transport?: TransportCapabilities
tools?: ToolsCapabilities
output?: OutputCapabilities
state?: StateCapabilities
multiAgent?: MultiAgentCapabilities
reasoning?: ReasoningCapabilities
multimodal?: MultimodalCapabilities
execution?: ExecutionCapabilities
humanInTheLoop?: HumanInTheLoopCapabilities
custom?: {
[k: string]: unknown
}
}
/**
 * Who the agent is; `type` is the platform, and `metadata` has the agent's name for `?agent=`.
 */
export interface IdentityCapabilities {
name?: string
type?: string
description?: string
version?: string
provider?: string
documentationUrl?: string
metadata?: {
[k: string]: unknown
}
}
/**
 * How clients reach it; `resumable` streams go on after an event's number.
 */
export interface TransportCapabilities {
streaming?: boolean
websocket?: boolean
httpBinary?: boolean
pushNotifications?: boolean
resumable?: boolean
}
/**
 * Whether it calls tools, its own and the client's.
 */
export interface ToolsCapabilities {
supported?: boolean
items?: ToolItem[]
parallelCalls?: boolean
clientProvided?: boolean
minItems?: 0
}
/**
 * A tool that the agent brings; `parameters` is a JSON schema.
 */
export interface ToolItem {
name: string
description: string
parameters?: {
[k: string]: unknown
}
}
/**
 * What its answers may be, besides text.
 */
export interface OutputCapabilities {
structuredOutput?: boolean
supportedMimeTypes?: string[]
}
/**
 * What it does with shared state, and whether it remembers beyond a session.
 */
export interface StateCapabilities {
snapshots?: boolean
deltas?: boolean
memory?: boolean
persistentState?: boolean
}
/**
 * Whether it works with other agents.
 */
export interface MultiAgentCapabilities {
supported?: boolean
delegation?: boolean
handoffs?: boolean
subagents?: SubagentInfo[]
}
/**
 * An agent that it may call.
 */
export interface SubagentInfo {
name: string
description?: string
}
/**
 * Whether it shows what its model thinks.
 */
export interface ReasoningCapabilities {
supported?: boolean
streaming?: boolean
encrypted?: boolean
}
/**
 * The media that it takes and makes.
 */
export interface MultimodalCapabilities {
input?: MultimodalInputCapabilities
output?: MultimodalOutputCapabilities
}
/**
 * The media that it can read in a message.
 */
export interface MultimodalInputCapabilities {
image?: boolean
audio?: boolean
video?: boolean
pdf?: boolean
file?: boolean
}
/**
 * The media that it can make.
 */
export interface MultimodalOutputCapabilities {
image?: boolean
audio?: boolean
}
/**
 * What a run may do and last; `maxExecutionTime` is in milliseconds.
 */
export interface ExecutionCapabilities {
codeExecution?: boolean
sandboxed?: boolean
maxIterations?: number
maxExecutionTime?: number
}
/**
 * Whether it asks its user, and how it takes the answers.
 */
export interface HumanInTheLoopCapabilities {
supported?: boolean
approvals?: boolean
interventions?: boolean
feedback?: boolean
interrupts?: boolean
approveWithEdits?: boolean
}
/**
 * All agents, in the order of the deployment's file.
 */
export interface AgentList {
agents: AgentItem[]
}
/**
 * An agent that the caller may use. `label` is in the caller's language, its name if its runner has none.
 * 
 * `surfaces`: where it can be met: by AG-UI clients and `POST /runs`, in a workspace, which `taskName` opens, and by
 * jobs. `input` names the rules of what a run of it takes beside a message; left out if that is nothing.
 * `isDefault`: runs that name no agent are its. `isSteerable`: it takes messages that its user adds to a run that goes
 * on; of an agent whose runner is not installed here, false.
 */
export interface AgentItem {
name: string
label: string
modes: string[]
surfaces: ("agui" | "workspace" | "automation")[]
input?: string
taskName?: string
isDefault: boolean
isSteerable: boolean
}
/**
 * A device of the caller: where it gets its notifications is not shown. It is forgotten at `expiresAt`, unless
 * it is registered again before.
 */
export interface Device {
id: string
kind: ("web" | "apns" | "apns_sandbox" | "fcm")
events: ("run.completed" | "run.failed" | "interrupt.opened")[]
include: ("answer" | "question")[]
whileWatched: boolean
name?: string
createdAt: string
refreshedAt: string
expiresAt: string
}
/**
 * A browser of the caller. Without `events` it is told of all; without `include` it gets no content.
 * 
 * Unless it says `whileWatched`, it is not told of a run that a stream of the caller shows.
 */
export interface WebDeviceFields {
/**
 * @minItems 1
 * @maxItems 10
 */
events?: [("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]
/**
 * @maxItems 4
 */
include?: []|[("answer" | "question")]|[("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question"), ("answer" | "question")]
whileWatched?: boolean
name?: (string | null)
kind: "web"
subscription: Subscription
}
/**
 * A `PushSubscription` of a browser, as its `toJSON()` has it.
 */
export interface Subscription {
endpoint: string
expirationTime?: (number | null)
keys: SubscriptionKeys
}
/**
 * The subscription's public key on P-256, uncompressed, and its secret (RFC 8291), in base64url.
 */
export interface SubscriptionKeys {
p256Dh: string
auth: string
}
/**
 * An app on Apple's devices, with its token of APNs in hexadecimal digits. Other members are as for a browser.
 */
export interface ApnsDeviceFields {
/**
 * @minItems 1
 * @maxItems 10
 */
events?: [("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]
/**
 * @maxItems 4
 */
include?: []|[("answer" | "question")]|[("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question"), ("answer" | "question")]
whileWatched?: boolean
name?: (string | null)
kind: ("apns" | "apns_sandbox")
token: string
}
/**
 * An app with its registration token of Firebase Cloud Messaging. Other members are as for a browser.
 */
export interface FcmDeviceFields {
/**
 * @minItems 1
 * @maxItems 10
 */
events?: [("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]|[("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened"), ("run.completed" | "run.failed" | "interrupt.opened")]
/**
 * @maxItems 4
 */
include?: []|[("answer" | "question")]|[("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question")]|[("answer" | "question"), ("answer" | "question"), ("answer" | "question"), ("answer" | "question")]
whileWatched?: boolean
name?: (string | null)
kind: "fcm"
token: string
}
/**
 * The caller's devices, the latest first, and the kinds that can be registered. Without `web` the deployment sends
 * nothing to browsers.
 */
export interface DeviceList {
devices: Device[]
kinds: ("web" | "apns" | "apns_sandbox" | "fcm")[]
web?: WebPush
}
/**
 * What a browser needs to subscribe: the `applicationServerKey` of `pushManager.subscribe`.
 */
export interface WebPush {
applicationServerKey: string
}
/**
 * The first event.
 */
export interface RunStarted {
type: "RUN_STARTED"
threadId: string
runId: string
timestamp?: number
parentRunId?: string
}
/**
 * Success, or questions to the user in `outcome`; the last event.
 */
export interface RunFinished {
type: "RUN_FINISHED"
threadId: string
runId: string
timestamp?: number
result?: {
[k: string]: unknown
}
outcome?: {
[k: string]: unknown
}
usage?: TokenUsage[]
}
/**
 * Tokens of a model in a run. Cached tokens are part of the input, those of reasoning of the output. A count that was not reported is left out.
 */
export interface TokenUsage {
provider?: string
model?: string
inputTokens?: number
outputTokens?: number
totalTokens?: number
reasoningTokens?: number
cachedInputTokens?: number
cacheWriteInputTokens?: number
}
/**
 * Failure or cancellation; the last event. `message` is public.
 */
export interface RunError {
type: "RUN_ERROR"
threadId: string
runId: string
timestamp?: number
message: string
code?: string
usage?: TokenUsage[]
}
/**
 * A stage began.
 */
export interface StepStarted {
type: "STEP_STARTED"
threadId: string
runId: string
timestamp?: number
stepName: string
}
/**
 * A stage ended.
 */
export interface StepFinished {
type: "STEP_FINISHED"
threadId: string
runId: string
timestamp?: number
stepName: string
}
/**
 * A message begins.
 */
export interface TextMessageStart {
type: "TEXT_MESSAGE_START"
threadId: string
runId: string
timestamp?: number
messageId: string
role: ("developer" | "system" | "assistant" | "user")
subagentRunId?: string
}
/**
 * A piece of a message, never empty.
 */
export interface TextMessageContent {
type: "TEXT_MESSAGE_CONTENT"
threadId: string
runId: string
timestamp?: number
messageId: string
delta: string
}
/**
 * The end of a message; structured output is in further members.
 */
export interface TextMessageEnd {
type: "TEXT_MESSAGE_END"
threadId: string
runId: string
timestamp?: number
messageId: string
status?: ("success" | "failed")
sign_level?: ("上上签" | "中上签" | "中下签" | "下下签")
conclusion?: string[]
focus_points?: string[]
advice?: string[]
keywords?: string[]
answer?: string
error?: (Declined | null)
divination_derived?: Divination
ui_schema?: UiSchemaRenderer
[k: string]: unknown
}
/**
 * Why there is no reading.
 */
export interface Declined {
code: "READING_DECLINED"
message: string
}
/**
 * What is derived from a cast.
 * 
 * Binary codes start at 初爻, yang as `1`. `targetYaoInfoList` is empty without changing lines. The last four lists
 * use a fixed vocabulary.
 */
export interface Divination {
question: string
questionType: string
divinationMethod: ("手动起卦" | "自动起卦")
divinationTime: string
binaryCode: string
changedBinaryCode: string
guaName: string
guaNameHant: string
upperName: string
lowerName: string
targetGuaName: string
targetGuaNameHant: string
worldPosition: number
responsePosition: number
hasChangingYao: boolean
ganzhi: Ganzhi
wuXingStatuses: {
[k: string]: "旺" | "相" | "休" | "囚" | "死"
}
yaoInfoList: YaoInfo[]
targetYaoInfoList: YaoInfo[]
fushenPositions: number[]
fushenInfoList: FushenInfo[]
specialStatus: string[]
interactions: string[]
timeEffect: string[]
riChenZhangSheng: string[]
}
/**
 * The four pillars with their void branches (旬空), the month and day branches and their opposites.
 * 
 * `yueJian` 月建, `riChen` 日辰, `yuePo` 月破, `riChong` 日冲: a branch and its element, e.g. `卯木`.
 */
export interface Ganzhi {
yearGanZhi: string
monthGanZhi: string
dayGanZhi: string
timeGanZhi: string
yearKongWang: string
monthKongWang: string
dayKongWang: string
timeKongWang: string
yueJian: string
riChen: string
yuePo: string
riChong: string
}
/**
 * `tiganName` is the earthly branch (地支), by the protocol's key name.
 * 
 * `isYang` is of the line's hexagram, `isChanging` (动爻) of the original line.
 */
export interface YaoInfo {
position: number
spiritName: string
spiritNameHant: string
relationName: ("父母" | "兄弟" | "子孙" | "妻财" | "官鬼")
relationNameHant: string
tiganName: string
elementName: ("木" | "火" | "土" | "金" | "水")
isYang: boolean
isChanging: boolean
specialMark: ("世" | "应" | "")
}
/**
 * A hidden line (伏神): an absent relation, under the line at `position`.
 */
export interface FushenInfo {
position: number
relationName: ("父母" | "兄弟" | "子孙" | "妻财" | "官鬼")
relationNameHant: string
tiganName: string
elementName: ("木" | "火" | "土" | "金" | "水")
}
/**
 * What a client draws.
 */
export interface UiSchemaRenderer {
version: "2.0"
locale: string
status: ("info" | "success" | "warning" | "error" | "pending")
theme: ("default" | "light" | "dark")
meta?: Meta
root: (StackNode | GridNode)
}
/**
 * Where a card comes from.
 */
export interface Meta {
requestId?: string
toolId?: string
traceId?: string
userId?: string
}
/**
 * Its children below each other.
 */
export interface StackNode {
type: "stack"
appearance?: "card"
children: (StackNode | GridNode | TextNode | BadgeNode | IconNode | ButtonNode)[]
}
/**
 * Its children in rows of `columns`.
 */
export interface GridNode {
type: "grid"
appearance?: "card"
columns?: number
children: (StackNode | GridNode | TextNode | BadgeNode | IconNode | ButtonNode)[]
}
/**
 * A text; without `format` it is plain.
 */
export interface TextNode {
type: "text"
content: string
role: ("title" | "subtitle" | "body" | "caption" | "code")
format?: ("plain" | "markdown")
}
/**
 * A short label in the colour of a status.
 */
export interface BadgeNode {
type: "badge"
label: string
status: ("info" | "success" | "warning" | "error" | "pending")
}
/**
 * The name of an icon, an emoji, or the https address of a picture.
 */
export interface IconNode {
type: "icon"
source: ("icon" | "emoji" | "url")
value: string
}
/**
 * A link to an https address.
 */
export interface ButtonNode {
type: "button"
label: string
style: ("primary" | "secondary" | "ghost" | "danger")
url: string
}
/**
 * A tool call.
 * 
 * `parentMessageId` is its message, or the first call of a round without text.
 */
export interface ToolCallStart {
type: "TOOL_CALL_START"
threadId: string
runId: string
timestamp?: number
toolCallId: string
toolCallName: string
parentMessageId?: string
metadata?: {
[k: string]: unknown
}
subagentRunId?: string
}
/**
 * A piece of the arguments' JSON text.
 */
export interface ToolCallArgs {
type: "TOOL_CALL_ARGS"
threadId: string
runId: string
timestamp?: number
toolCallId: string
delta: string
}
/**
 * The arguments are complete, or truncated: then `metadata` is INTERRUPTED.
 */
export interface ToolCallEnd {
type: "TOOL_CALL_END"
threadId: string
runId: string
timestamp?: number
toolCallId: string
metadata?: {
[k: string]: unknown
}
}
/**
 * A server tool's result, as a separate message.
 * 
 * If it has media, AG-UI 1.0 clients get `parts` in place of `content`.
 */
export interface ToolCallResult {
type: "TOOL_CALL_RESULT"
threadId: string
runId: string
timestamp?: number
messageId: string
toolCallId: string
content: string
parts?: {
[k: string]: unknown
}[]
metadata?: {
[k: string]: unknown
}
subagentRunId?: string
}
/**
 * The reasoning begins.
 */
export interface ReasoningStart {
type: "REASONING_START"
threadId: string
runId: string
timestamp?: number
messageId: string
subagentRunId?: string
}
/**
 * A reasoning message begins.
 */
export interface ReasoningMessageStart {
type: "REASONING_MESSAGE_START"
threadId: string
runId: string
timestamp?: number
messageId: string
role: "reasoning"
subagentRunId?: string
}
/**
 * A piece of a reasoning message, never empty.
 */
export interface ReasoningMessageContent {
type: "REASONING_MESSAGE_CONTENT"
threadId: string
runId: string
timestamp?: number
messageId: string
delta: string
}
/**
 * A reasoning message is complete.
 */
export interface ReasoningMessageEnd {
type: "REASONING_MESSAGE_END"
threadId: string
runId: string
timestamp?: number
messageId: string
}
/**
 * An opaque value of the reasoning message `entityId`: clients keep it as its `encryptedValue`.
 */
export interface ReasoningEncryptedValue {
type: "REASONING_ENCRYPTED_VALUE"
threadId: string
runId: string
timestamp?: number
subtype: "message"
entityId: string
encryptedValue: string
}
/**
 * The reasoning is complete.
 */
export interface ReasoningEnd {
type: "REASONING_END"
threadId: string
runId: string
timestamp?: number
messageId: string
}
/**
 * The state shared by client and agent.
 */
export interface StateSnapshot {
type: "STATE_SNAPSHOT"
threadId: string
runId: string
timestamp?: number
snapshot: unknown
}
/**
 * A change of the shared state.
 */
export interface StateDelta {
type: "STATE_DELTA"
threadId: string
runId: string
timestamp?: number
delta: (PatchValue | PatchRemove | PatchMove)[]
}
/**
 * Sets or tests a value; null is a value.
 */
export interface PatchValue {
path: string
op: ("add" | "replace" | "test")
value: unknown
}
/**
 * Removes a value.
 */
export interface PatchRemove {
path: string
op: "remove"
}
/**
 * Moves or copies a value.
 */
export interface PatchMove {
path: string
op: ("move" | "copy")
from: string
}
/**
 * What an agent shows beside its messages, such as a plan; clients draw it by `activityType`.
 */
export interface ActivitySnapshot {
type: "ACTIVITY_SNAPSHOT"
threadId: string
runId: string
timestamp?: number
messageId: string
activityType: string
content: {
[k: string]: unknown
}
subagentRunId?: string
}
/**
 * A change of an activity's content.
 */
export interface ActivityDelta {
type: "ACTIVITY_DELTA"
threadId: string
runId: string
timestamp?: number
messageId: string
activityType: string
patch: (PatchValue | PatchRemove | PatchMove)[]
}
/**
 * The conversation.
 */
export interface MessagesSnapshot {
type: "MESSAGES_SNAPSHOT"
threadId: string
runId: string
timestamp?: number
messages: {
[k: string]: unknown
}[]
}
/**
 * `name` begins with its vendor. `value` may be null, not missing.
 */
export interface Custom {
type: "CUSTOM"
threadId: string
runId: string
timestamp?: number
name: string
value: unknown
}
/**
 * A nested agent began, called by another one, or by a tool call.
 */
export interface SubagentStarted {
type: "SUBAGENT_STARTED"
threadId: string
runId: string
timestamp?: number
subagentRunId: string
name: string
description?: string
parentSubagentRunId?: string
parentToolCallId?: string
}
/**
 * A nested agent is done, or goes on in the run that answers a question: then `outcome` is SUSPENDED.
 */
export interface SubagentFinished {
type: "SUBAGENT_FINISHED"
threadId: string
runId: string
timestamp?: number
subagentRunId: string
result?: unknown
outcome?: {
[k: string]: unknown
}
}
/**
 * A nested agent failed. `message` is public.
 */
export interface SubagentError {
type: "SUBAGENT_ERROR"
threadId: string
runId: string
timestamp?: number
subagentRunId: string
message: string
code?: string
}
/**
 * The hexagrams of the cast.
 */
export interface DivinationDerived {
type: "DIVINATION_DERIVED"
threadId: string
runId: string
timestamp?: number
divination: Divination
}
/**
 * An answer to a question.
 */
export interface InterruptAnswer {
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}
/**
 * A page of open questions, newest first. `next` continues after it if it `hasMore`.
 */
export interface InterruptList {
interrupts: InterruptItem[]
hasMore: boolean
next?: string
}
/**
 * An open question of a run to its user.
 */
export interface InterruptItem {
id: string
threadId: string
runId: string
agent: string
message: string
kind: ("confirmation" | "choice" | "form" | "text")
responseSchema: {
[k: string]: unknown
}
metadata?: {
[k: string]: unknown
}
toolCallId?: string
expiresAt: string
createdAt: string
}
/**
 * How a reading turned out: that of `runId`, else the latest reading of the session.
 */
export interface OutcomeRequest {
outcome: ("came_true" | "partly" | "did_not")
note?: (string | null)
runId?: (string | null)
}
/**
 * Every error, an RFC 9457 problem. `code` is for programs; codes are added, never renamed.
 */
export interface Problem {
type: "about:blank"
/**
 * The reason phrase of the HTTP status.
 */
title: string
status: number
/**
 * One sentence on what was wrong.
 */
detail: string
code: ("AUTH_UNAUTHORIZED" | "AGENT_FORBIDDEN" | "AGENT_SESSION_NOT_FOUND" | "AGENT_RUN_NOT_FOUND" | "AGENT_STEP_NOT_FOUND" | "AGENT_RUN_NOT_FORKABLE" | "AGENT_RUN_NOT_STEERABLE" | "AGENT_RUN_MESSAGE_CONFLICT" | "AGENT_RUN_MESSAGE_LIMIT" | "AGENT_SESSION_ID_INVALID" | "AGENT_INVALID_RUN_ID" | "AGENT_INVALID_LAST_EVENT_ID" | "AGENT_EVENTS_QUERY_INVALID" | "AGENT_STREAM_QUERY_INVALID" | "AGENT_RUN_EVENTS_EXPIRED" | "AGENT_SSE_CONNECTION_LIMIT" | "AGENT_RUN_INPUT_INVALID" | "AGENT_RUN_MESSAGES_INVALID" | "AGENT_RUNTIME_MODE_INVALID" | "AGENT_NAME_UNKNOWN" | "AGENT_RUN_CONFLICT" | "AGENT_RUN_IN_PROGRESS" | "AGENT_SESSION_RUN_LIMIT_EXCEEDED" | "AGENT_BRANCH_LIMIT" | "AGENT_INTERRUPT_OPEN" | "AGENT_INTERRUPT_INCOMPLETE" | "AGENT_INTERRUPT_NOT_FOUND" | "AGENT_INTERRUPT_ANSWERED" | "AGENT_INTERRUPT_EXPIRED" | "AGENT_INTERRUPT_ANSWER_INVALID" | "AGENT_INTERRUPT_QUERY_INVALID" | "AGENT_RUN_LIMIT" | "AGENT_TOKEN_LIMIT" | "AGENT_WORKSPACE_CONNECTION_LIMIT" | "AGENT_RATE_LIMIT" | "AGENT_STORAGE_LIMIT" | "AGENT_HISTORY_QUERY_INVALID" | "AGENT_OUTCOME_INVALID" | "AGENT_OUTCOME_NO_READING" | "AGENT_ATTACHMENT_INVALID" | "AGENT_ATTACHMENT_EMPTY" | "AGENT_ATTACHMENT_TOO_LARGE" | "AGENT_ATTACHMENT_TYPE_UNSUPPORTED" | "AGENT_ATTACHMENT_NOT_FOUND" | "AGENT_ATTACHMENT_STORAGE_UNAVAILABLE" | "AGENT_ATTACHMENT_BUCKET_INVALID" | "AGENT_ATTACHMENT_PATH_SCOPE_INVALID" | "AGENT_SIGNED_URL_GENERATION_FAILED" | "AGENT_AUDIO_INVALID" | "AGENT_AUDIO_UNSUPPORTED_FORMAT" | "AGENT_AUDIO_EMPTY" | "AGENT_AUDIO_TOO_LARGE" | "AGENT_AUDIO_TOO_LONG" | "AGENT_AUDIO_NOT_FOUND" | "AGENT_ASR_UNAVAILABLE" | "AGENT_ASR_FAILED" | "AGENT_ASR_IN_PROGRESS" | "AGENT_ASR_LIMIT" | "AGENT_TASK_NOT_FOUND" | "AGENT_WORKSPACE_TICKET_INVALID" | "AGENT_USAGE_QUERY_INVALID" | "AGENT_MEMORY_QUERY_INVALID" | "AGENT_MEMORY_ID_INVALID" | "AUTOMATION_JOB_INVALID" | "AUTOMATION_SCHEDULE_UNSUPPORTED" | "AUTOMATION_JOB_NOT_FOUND" | "AUTOMATION_JOB_CHANGED" | "AUTOMATION_JOB_LIMIT" | "DEVICE_INVALID" | "DEVICE_KIND_UNSUPPORTED" | "DEVICE_ENDPOINT_FORBIDDEN" | "DEVICE_OF_OTHER_USER" | "DEVICE_LIMIT" | "MCP_CONNECTION_INVALID" | "MCP_CONNECTION_NOT_FOUND" | "MCP_CONNECTION_LIMIT" | "MCP_SERVER_NOT_FOUND" | "MCP_NOT_CONNECTED" | "MCP_SIGN_IN_NOT_FOUND" | "MCP_SIGN_IN_REFUSED" | "MCP_SIGN_IN_FAILED" | "WEBHOOK_INVALID" | "WEBHOOK_NOT_FOUND" | "WEBHOOK_DELIVERY_NOT_FOUND" | "WEBHOOK_DISABLED" | "WEBHOOK_LIMIT" | "REQUEST_INVALID" | "REQUEST_CONTENT_TYPE_UNSUPPORTED" | "REQUEST_ORIGIN_FORBIDDEN" | "REQUEST_METHOD_UNSUPPORTED" | "REQUEST_ACCEPT_UNSUPPORTED" | "REQUEST_TOO_LARGE" | "REQUEST_THROTTLED" | "ROUTE_NOT_FOUND" | "SERVICE_TIMEOUT" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR" | "AGENT_DIVINATION_PAYLOAD_MISMATCH" | "AGENT_DIVINATION_PAYLOAD_REQUIRED")
/**
 * Machine-readable details, if any.
 */
params?: {

}
/**
 * The path of the request, or its route.
 */
instance: string
/**
 * Finds the cause of a failure of the service in its logs.
 */
traceId?: string
}
/**
 * The input of agents that need only a non-empty message, such as the assistant.
 * 
 * The default agent unless one is named or implied.
 */
export interface AgentRunInput {
threadId: string
runId: string
parentRunId?: (string | null)
protocolVersion?: (string | null)
/**
 * @minItems 1
 * @maxItems 200
 */
messages: [Question, ...((AssistantMessage | SystemMessage | DeveloperMessage | ToolMessage | ReasoningMessage | ActivityMessage))[]]
state?: {
[k: string]: unknown
}
tools?: (Tool[] | null)
context?: (ContextEntry[] | null)
forwardedProps: AgentProps
}
/**
 * The user's message.
 */
export interface Question {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "user"
content: (string | (UserText | UserPicture)[])
}
/**
 * A text; all texts together share the limit.
 */
export interface UserText {
type: "text"
text: string
}
/**
 * A picture, by a URL signed by this service.
 */
export interface UserPicture {
type: "binary"
mimeType: string
id?: (string | null)
url: string
data?: null
filename?: (string | null)
}/**
 * Text and tool calls.
 */
export interface AssistantMessage {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "assistant"
content?: (string | null)
toolCalls?: (ToolCall[] | null)
}
/**
 * A tool call.
 */
export interface ToolCall {
id: string
type: "function"
function: FunctionCall
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
}
/**
 * A function; `arguments` is JSON text.
 */
export interface FunctionCall {
name: string
arguments: string
}
/**
 * A system instruction.
 */
export interface SystemMessage {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "system"
content: string
}
/**
 * A developer instruction.
 */
export interface DeveloperMessage {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "developer"
content: string
}
/**
 * A tool result.
 */
export interface ToolMessage {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "tool"
content: string
toolCallId: string
error?: (string | null)
}
/**
 * The agent's reasoning, of any shape.
 */
export interface ReasoningMessage {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "reasoning"
content?: {
[k: string]: unknown
}
}
/**
 * A progress update of any shape.
 */
export interface ActivityMessage {
id: string
name?: (string | null)
encryptedValue?: (string | null)
metadata?: ({
[k: string]: unknown
} | null)
role: "activity"
content?: {
[k: string]: unknown
}
}
/**
 * A front-end tool, never run by the service.
 */
export interface Tool {
name: string
description: string
parameters: {
[k: string]: unknown
}
}
/**
 * Context for the agent.
 */
export interface ContextEntry {
description: string
value: string
}
/**
 * The run's mode and the client's time.
 */
export interface AgentProps {
/**
 * `chat`: what the user says; `follow_up`: a further question of the session; `automation`: what a job asks. Every agent that comes with Yarrow takes `chat`.
 */
runtime_mode: ("chat" | "follow_up" | "automation")
client_time?: (ClientTime | null)
}
/**
 * The client's time.
 */
export interface ClientTime {
device_timezone: string
client_now_iso: string
client_epoch_ms: number
}
/**
 * The input of the divination agent, which the cast implies.
 * 
 * A `follow_up` needs an existing session (`threadId`).
 */
export interface DivinationRunInput {
threadId: string
runId: string
parentRunId?: (string | null)
protocolVersion?: (string | null)
/**
 * @minItems 1
 * @maxItems 200
 */
messages: [Question, ...((AssistantMessage | SystemMessage | DeveloperMessage | ToolMessage | ReasoningMessage | ActivityMessage))[]]
state: {
[k: string]: unknown
}
tools: Tool[]
context: ContextEntry[]
forwardedProps: DivinationProps
}
/**
 * The run's mode, the client's time, and the cast.
 */
export interface DivinationProps {
/**
 * `chat` for the first run of a session; `follow_up` for a further question, never blank.
 */
runtime_mode: ("chat" | "follow_up")
client_time?: (ClientTime | null)
divinationPayload: DivinationPayload
}
/**
 * One cast. `yaoLines` run from 初爻 to 上爻; lengths are in characters.
 */
export interface DivinationPayload {
divinationMethod: ("手动起卦" | "自动起卦")
questionType: string
question: string
divinationTimeIso: string
/**
 * @minItems 6
 * @maxItems 6
 */
yaoLines: [("少阳" | "少阴" | "老阳" | "老阴"), ("少阳" | "少阴" | "老阳" | "老阴"), ("少阳" | "少阴" | "老阳" | "老阴"), ("少阳" | "少阴" | "老阳" | "老阴"), ("少阳" | "少阴" | "老阳" | "老阴"), ("少阳" | "少阴" | "老阳" | "老阴")]
}
/**
 * The input of a run that goes on: an answer to each open question of the session. Messages, tools and state are those of the run that asked.
 */
export interface ResumeInput {
threadId: string
runId: string
/**
 * @minItems 1
 * @maxItems 5
 */
resume: [{
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}]|[{
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}]|[{
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}]|[{
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}]|[{
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}, {
interruptId: string
status: ("resolved" | "cancelled")
/**
 * The answer, as the question's `responseSchema` says; left out if it is cancelled.
 */
payload?: {
[k: string]: unknown
}
}]
}
/**
 * A message that the user adds to a run which goes on: its id, unique in the session, and its text.
 */
export interface RunMessage {
id: string
content: string
}
/**
 * The message is accepted: `place` counts those that were added to the run, from 1.
 */
export interface RunMessageAccepted {
threadId: string
runId: string
id: string
place: number
}
/**
 * What the user recorded. `runId` is null for readings of early versions, `recordedAt` in ISO 8601.
 */
export interface SessionOutcome {
threadId: string
runId: (string | null)
outcome: ("came_true" | "partly" | "did_not")
note: (string | null)
recordedAt: string
}
/**
 * A history response; `day` is always null.
 * 
 * A session has its `agent` and its `outcome`, the first page of a list the user's `record`, if the user recorded any.
 */
export interface Snapshot {
scope: ("history_session_full" | "history_sessions_latest_assistant")
threadId: (string | null)
day: null
hasMore: boolean
messages: (UserItem | AssistantItem)[]
agent?: string
outcome?: SessionOutcome
record?: OutcomeRecord
}
/**
 * A user message, with what an AG-UI client gave it beside its content, if anything.
 * 
 * One that answers questions has its `answers`.
 */
export interface UserItem {
id: string
threadId: string
seq: number
content: string
timestamp: string
role: "user"
attachments: Attachment[]
name?: string
encryptedValue?: string
metadata?: {
[k: string]: unknown
}
answers?: HistoryAnswer[]
}
/**
 * A picture; its URL is signed for this read.
 */
export interface Attachment {
mimeType: string
url: string
}
/**
 * The answer to a question, as it was given; a cancelled one has no payload.
 */
export interface HistoryAnswer {
interruptId: string
status: ("answered" | "refused" | "expired" | "cancelled")
payload: unknown
}
/**
 * An assistant message, with structured output, if any. In a list of sessions, `agent` is the session's
 * and `outcome` what the user recorded of its reading. A question has its `interrupt`. The last message of a run that
 * used models has the run's `usage`, by model.
 */
export interface AssistantItem {
id: string
threadId: string
seq: number
content: string
timestamp: string
role: "assistant"
agent_output?: (ChatOutput | FollowUpOutput | DeclinedOutput)
agent?: string
outcome?: ("came_true" | "partly" | "did_not")
interrupt?: HistoryInterrupt
usage?: TokenCounts[]
}
/**
 * The reading of a cast.
 */
export interface ChatOutput {
status: "success"
sign_level: ("上上签" | "中上签" | "中下签" | "下下签")
conclusion: string[]
focus_points: string[]
advice: string[]
keywords: string[]
answer: string
error: null
divination_derived: Divination
}
/**
 * The answer to a follow-up.
 */
export interface FollowUpOutput {
status: "success"
answer: string
error: null
}
/**
 * A declined cast or follow-up.
 */
export interface DeclinedOutput {
status: "failed"
answer: string
error: Declined
}
/**
 * A question that a message is: `open`, or how it ended. `id` is the interrupt's.
 */
export interface HistoryInterrupt {
id: string
kind: ("confirmation" | "choice" | "form" | "text")
status: ("open" | "answered" | "refused" | "expired" | "cancelled")
}
/**
 * What a run used of one model, as AG-UI counts tokens; a count that nobody reported is absent.
 */
export interface TokenCounts {
provider?: string
model?: string
inputTokens?: number
outputTokens?: number
totalTokens?: number
reasoningTokens?: number
cachedInputTokens?: number
cacheWriteInputTokens?: number
}
/**
 * The outcomes of all the user's sessions; `rate` is the share that came true, to three decimals.
 */
export interface OutcomeRecord {
cameTrue: number
partly: number
didNot: number
rate: number
}
/**
 * The response to a submit.
 */
export interface TaskAcceptedResponse {
taskId: string
threadId: string
runId: string
/**
 * Whether the run created its session.
 */
created: boolean
}
/**
 * A page of sums, the oldest day first. `speech` and `left` are on the first page of the user's own.
 */
export interface Usage {
days: UsageItem[]
speech?: RecognisedSpeech[]
left?: LimitsLeft
currency?: string
hasMore: boolean
next?: string
}
/**
 * What runs of an agent that ended on this day (UTC) used of a model; without `model`, runs that used none.
 * 
 * `runs` has each run once: with the model that it used first. Cached tokens and those written to a cache are part of
 * `inputTokens`, reasoning is part of `outputTokens`; what nobody reported is absent. `cost` is by the deployment's
 * prices, in its currency, and absent for a model without a price.
 */
export interface UsageItem {
day: string
agent: string
model?: string
provider?: string
userId?: string
apiKey?: string
runs: number
inputTokens?: number
outputTokens?: number
reasoningTokens?: number
cachedInputTokens?: number
cacheWriteInputTokens?: number
cost?: number
}
/**
 * The speech that was recognised for the user on a day.
 */
export interface RecognisedSpeech {
day: string
seconds: number
}
/**
 * What the user may still use; a limit that the deployment does not have is absent.
 */
export interface LimitsLeft {
tokensToday?: number
speechSecondsToday?: number
runsThisMinute?: number
}
