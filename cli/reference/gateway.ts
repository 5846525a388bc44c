import { dispatchNames, heardWhilePassive, heardWhileUnavailable } from '../../gateway/dispatches/dispatch-names.js'
import { closings } from '../../gateway/protocol/closings.js'
import { opcodes } from '../../gateway/protocol/opcodes.js'
import { alwaysActiveMembers_max } from '../../gateway/visibility/room.js'
import { code, codes, page, table } from './markdown.js'

/** The opcodes, close codes and dispatches of the Gateway. */
export function gatewayPage(): string {
  return page(
    '# Gateway',
    'Clients connect to `/gateway?v=1&encoding=json`; `/.well-known/guildhall` names the address.',
    '## Opcodes',
    table(
      ['op', 'name'],
      Object.entries(opcodes).map(([name, op]) => [`${op}`, code(name)]),
    ),
    '## Close codes',
    table(
      ['code', 'reason'],
      Object.values(closings).map(({ code: closeCode, reason }) => [`${closeCode}`, reason]),
    ),
    '## Dispatches',
    dispatchNames.map((name) => `- ${code(name)}`).join('\n'),
    `A session that is passive in a guild of more than ${alwaysActiveMembers_max} members still hears these, where it may hear them at all: ${codes([...heardWhilePassive])}. It also hears what is about its own account or mentions it.`,
    `A guild that is unavailable still dispatches to everybody in it: ${codes([...heardWhileUnavailable])}.`,
  )
}
