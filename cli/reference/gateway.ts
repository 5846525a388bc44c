import { dispatchNames, heardWhilePassive, heardWhileUnavailable } from '../../gateway/dispatches/dispatch-names.js'
import { closings } from '../../gateway/protocol/closings.js'
import { opcodes } from '../../gateway/protocol/opcodes.js'
import { code, page, table } from './markdown.js'

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
    'A session of a large guild that is passive there hears only of some events in it, and so does everybody in a guild that is unavailable.',
    table(
      ['name', 'while passive', 'while unavailable'],
      dispatchNames.map((name) => [
        code(name),
        heardWhilePassive.has(name) ? 'yes' : 'no',
        heardWhileUnavailable.has(name) ? 'yes' : 'no',
      ]),
    ),
  )
}
