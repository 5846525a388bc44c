import { dispatchNames, heardWhilePassive, heardWhileUnavailable } from '../../gateway/protocol/dispatch-names.ts'
import { gatewayLimits, heartbeat, inboundFrame_bytes_max, retention_ms } from '../../gateway/limits.ts'
import { closings } from '../../gateway/protocol/closings.ts'
import { opcodes } from '../../gateway/protocol/opcodes.ts'
import { alwaysActiveMembers_max } from '../../gateway/visibility/room.ts'
import { dispatchCatalogue } from '../gateway-reference/dispatch-catalogue.ts'
import { membersOf } from '../gateway-reference/members-of.ts'
import { payloadCatalogue } from '../gateway-reference/payload-catalogue.ts'
import { code, codes, page, table } from './markdown.ts'

/** The opcodes, close codes, limits and dispatches of the Gateway. */
export function gatewayPage(): string {
  return page(
    '# Gateway',
    'Clients connect to `/gateway?v=1&encoding=json`; `/.well-known/guildhall` names the address. A server shows this page at `/docs/gateway`, and all schemas as AsyncAPI 3 at `/docs/gateway.json`.',
    '## Opcodes',
    'A payload is a JSON object with `op` and, where the table has members or a value, `d`. `?` marks what may be absent.',
    table(['op', 'name', 'from', 'what it says', '`d`'], opcodeRows()),
    '## Close codes',
    table(
      ['code', 'reason'],
      Object.values(closings).map(({ code: closeCode, reason }) => [`${closeCode}`, reason]),
    ),
    '## Limits',
    table(['what', 'at most'], limitRows()),
    '## Dispatches',
    table(
      ['name', 'received by', 'members of `d`'],
      dispatchNames.map((name) => {
        const { heardBy, d } = dispatchCatalogue[name]
        return [code(name), heardBy, membersOf(d)]
      }),
    ),
    `A session that is passive in a guild of more than ${alwaysActiveMembers_max} members still hears these, where it may hear them at all: ${codes([...heardWhilePassive])}. It also hears what is about its own account or mentions it.`,
    `A guild that is unavailable still dispatches to everybody in it: ${codes([...heardWhileUnavailable])}.`,
  )
}

function opcodeRows(): readonly (readonly string[])[] {
  return Object.entries(opcodes).map(([name, op]) => {
    const { from, says, d } = payloadCatalogue[name as keyof typeof opcodes]
    return [`${op}`, code(name), from, says, d ? membersOf(d) : 'absent']
  })
}

function limitRows(): readonly (readonly [string, string])[] {
  const { payloadsPerMinute, identifiesPerIpAndMinute, presenceUpdatesPer20s, requestsAtWork_max } = gatewayLimits
  const { connectionsPerIp_max, sessionsPerAccount_max, guildsPerBotShard_max, replayEntries_max } = gatewayLimits
  return [
    ['Bytes of a frame from a client', `${inboundFrame_bytes_max}`],
    ['Payloads of a connection in a minute', `${payloadsPerMinute.connection}`],
    ['Payloads of a session in a minute', `${payloadsPerMinute.session}`],
    ['Payloads of an address in a minute', `${payloadsPerMinute.ip}`],
    ['Identifies of an address in a minute', `${identifiesPerIpAndMinute}`],
    ['Presence updates of a session in 20 s', `${presenceUpdatesPer20s}`],
    ['Requests of a session at once', `${requestsAtWork_max}`],
    ['Connections of an address', `${connectionsPerIp_max}`],
    ['Sessions of a person', `${sessionsPerAccount_max}`],
    ['Guilds of a shard of a bot', `${guildsPerBotShard_max}`],
    ['Dispatches kept for a Resume', `${replayEntries_max}`],
    ['Seconds that a session waits for a Resume', `${retention_ms / 1000}`],
    ['Seconds without a heartbeat', `${heartbeat.timeout_ms / 1000}`],
  ]
}
