import { randomBytes } from 'node:crypto'
import { commandContext, type CommandContext } from '../../application/commands/command-context.js'
import { uuid7 } from '../../application/commands/derive-id.js'
import type { Snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'

/** The context of a command of the operator at the command line: no request, no account. */
export function operatorContext(newId: () => Snowflake = noIds): CommandContext {
  const now = Date.now()
  const commandId = uuid7(now, randomBytes(10))
  return commandContext({
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor: { kind: 'system', name: 'command line' },
    reason: undefined,
    now: timestamp(now),
    mayRepeat: false,
    newId,
    randomBytes,
  })
}

function noIds(): never {
  throw new Error('This command makes no ids')
}
