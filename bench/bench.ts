import path from 'node:path'
import { parseArgs } from 'node:util'
import { appendsLine } from './lines/appends.ts'
import { banLine } from './lines/ban.ts'
import { bulkFlagsLine } from './lines/bulk-flags.ts'
import { archiveLine } from './lines/archive.ts'
import { broadcastLine } from './lines/broadcast.ts'
import { claimStoreALine } from './lines/claim-store-a.ts'
import { communitySizeLine } from './lines/community-size.ts'
import { clusterReadsLine } from './lines/cluster-reads.ts'
import { createInviteLine } from './lines/create-invite.ts'
import { getGuildLine } from './lines/get-guild.ts'
import { idleSessionsLine } from './lines/idle-sessions.ts'
import { historyEventsLine } from './lines/history-events.ts'
import { historyGuildLine } from './lines/history-guild.ts'
import { listMessagesLine } from './lines/list-messages.ts'
import { loginLine } from './lines/login.ts'
import { commandDelayLine, delayLine } from './lines/delay.ts'
import { directoryListLine } from './lines/directory-list.ts'
import { directorySearchLine } from './lines/directory-search.ts'
import { distributedAppendsLine } from './lines/distributed-appends.ts'
import { distributedCommandsLine } from './lines/distributed-commands.ts'
import { messageCountLine } from './lines/message-count.ts'
import { overloadLine } from './lines/overload.ts'
import { premiumReadLine } from './lines/premium-read.ts'
import { floodLine } from './lines/flood.ts'
import { memberListLine } from './lines/member-list.ts'
import { memberSearchLine } from './lines/member-search.ts'
import { messageSearchLine } from './lines/message-search.ts'
import { reactLine } from './lines/react.ts'
import { readyLine } from './lines/ready.ts'
import { readyReadStatesLine } from './lines/ready-read-states.ts'
import { rebuildLine } from './lines/rebuild.ts'
import { requestsLine } from './lines/requests.ts'
import { restartLine } from './lines/restart.ts'
import { resumesLine } from './lines/resumes.ts'
import { rewindGuildLine } from './lines/rewind-guild.ts'
import { sendEmbedLine } from './lines/send-embed.ts'
import { storeRefreshLine } from './lines/store-refresh.ts'
import { storeWebhookLine } from './lines/store-webhook.ts'
import { reviewLine } from './lines/review.ts'
import { userSearchLine } from './lines/user-search.ts'
import { uploadLine } from './lines/upload.ts'
import { shredLine } from './lines/shred.ts'
import type { Line } from './support/line.ts'
import { printTable, writeResults } from './support/report.ts'
import type { Comparison } from './support/rounds.ts'

const lines: Readonly<Record<string, Line>> = {
  'create-invite': createInviteLine,
  'get-guild': getGuildLine,
  requests: requestsLine,
  'list-messages': listMessagesLine,
  login: loginLine,
  ban: banLine,
  overload: overloadLine,
  flood: floodLine,
  'message-search': messageSearchLine,
  'member-list': memberListLine,
  'member-search': memberSearchLine,
  react: reactLine,
  ready: readyLine,
  'ready-read-states': readyReadStatesLine,
  'send-embed': sendEmbedLine,
  'upload-10mb': uploadLine,
  appends: appendsLine,
  rebuild: rebuildLine,
  restart: restartLine,
  broadcast: broadcastLine,
  resumes: resumesLine,
  'idle-sessions': idleSessionsLine,
  'community-size': communitySizeLine,
  'distributed-appends': distributedAppendsLine,
  'distributed-commands': distributedCommandsLine,
  'cluster-reads': clusterReadsLine,
  delay: delayLine,
  'command-delay': commandDelayLine,
  'user-search': userSearchLine,
  'history-guild': historyGuildLine,
  'history-events': historyEventsLine,
  'rewind-guild': rewindGuildLine,
  'directory-search': directorySearchLine,
  'directory-list': directoryListLine,
  review: reviewLine,
  'message-count': messageCountLine,
  shred: shredLine,
  'bulk-flags': bulkFlagsLine,
  archive: archiveLine,
  'claim-store-a': claimStoreALine,
  'store-webhook': storeWebhookLine,
  'premium-read': premiumReadLine,
  refresh: storeRefreshLine,
}

const usage = `npm run bench -- [--only <line>] [--seconds <1-60>] [--rounds <1-20>] [--events <number>] [--accounts <number>] [--messages <number>]\nLines: ${Object.keys(lines).join(', ')}`
const resultsFolder = path.join(import.meta.dirname, '../../bench/results')

/** Runs the lines one after another, each beside its baseline. A line that fails does not stop the others. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      events: { type: 'string', default: '1000000' },
      accounts: { type: 'string', default: '1000000' },
      messages: { type: 'string', default: '1000000' },
    },
  })
  const settings = {
    seconds: numberIn(values.seconds, 60),
    rounds: numberIn(values.rounds, 20),
    events: numberIn(values.events, 10_000_000),
    accounts: numberIn(values.accounts, 10_000_000),
    messages: numberIn(values.messages, 10_000_000),
  }
  const chosen = Object.entries(lines).filter(([name]) => values.only === undefined || values.only === name)
  if (chosen.length === 0) throw new Error(`There is no line ${String(values.only)}.\n${usage}`)
  const comparisons: Comparison[] = []
  for (const [name, line] of chosen) {
    console.log(name)
    try {
      const measured = [await line(settings)].flat()
      comparisons.push(...measured)
      // Measured lines are printed even if others fail.
      printTable(measured)
    } catch (error) {
      console.error(`${name} failed:`, error)
      process.exitCode = 1
    }
  }
  if (chosen.length > 1) printTable(comparisons)
  console.log(`\nWritten to ${writeResults(resultsFolder, comparisons)}`)
}

function numberIn(text: string, max: number): number {
  const value = Number(text)
  if (!(value > 0 && value <= max)) throw new Error(`${text} is not above 0 and at most ${max}.\n${usage}`)
  return value
}

await main()
