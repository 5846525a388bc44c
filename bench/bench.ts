import path from 'node:path'
import { parseArgs } from 'node:util'
import { appendsLine } from './lines/appends.js'
import { banLine } from './lines/ban.js'
import { bulkFlagsLine } from './lines/bulk-flags.js'
import { archiveLine } from './lines/archive.js'
import { broadcastLine } from './lines/broadcast.js'
import { claimStoreALine } from './lines/claim-store-a.js'
import { communitySizeLine } from './lines/community-size.js'
import { createInviteLine } from './lines/create-invite.js'
import { getGuildLine } from './lines/get-guild.js'
import { loginLine } from './lines/login.js'
import { delayLine } from './lines/delay.js'
import { directoryListLine } from './lines/directory-list.js'
import { directorySearchLine } from './lines/directory-search.js'
import { distributedAppendsLine } from './lines/distributed-appends.js'
import { distributedCommandsLine } from './lines/distributed-commands.js'
import { messageCountLine } from './lines/message-count.js'
import { overloadLine } from './lines/overload.js'
import { premiumReadLine } from './lines/premium-read.js'
import { floodLine } from './lines/flood.js'
import { rebuildLine } from './lines/rebuild.js'
import { requestsLine } from './lines/requests.js'
import { restartLine } from './lines/restart.js'
import { storeRefreshLine } from './lines/store-refresh.js'
import { storeWebhookLine } from './lines/store-webhook.js'
import { reviewLine } from './lines/review.js'
import { userSearchLine } from './lines/user-search.js'
import { shredLine } from './lines/shred.js'
import type { Line } from './support/line.js'
import { printTable, writeResults } from './support/report.js'
import type { Comparison } from './support/rounds.js'

const lines: Readonly<Record<string, Line>> = {
  'create-invite': createInviteLine,
  'get-guild': getGuildLine,
  requests: requestsLine,
  login: loginLine,
  ban: banLine,
  overload: overloadLine,
  flood: floodLine,
  appends: appendsLine,
  rebuild: rebuildLine,
  restart: restartLine,
  broadcast: broadcastLine,
  'community-size': communitySizeLine,
  'distributed-appends': distributedAppendsLine,
  'distributed-commands': distributedCommandsLine,
  delay: delayLine,
  'user-search': userSearchLine,
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
