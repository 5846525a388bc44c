import { randomBytes } from 'node:crypto'
import { commandContext, type CommandContext } from '../../application/commands/command-context.ts'
import { uuid7 } from '../../application/commands/derive-id.ts'
import type { Actor } from '../../application/ports/event-store.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** The context of a command outside every request, for work that no operation does. It makes no ids. */
export function testContext(actor: Actor = { kind: 'system', name: 'test' }): CommandContext {
  const now_ms = Date.now()
  const commandId = uuid7(now_ms, randomBytes(10))
  return commandContext({
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor,
    reason: undefined,
    now: timestamp(now_ms),
    mayRepeat: false,
    isKeyed: false,
    newId: () => {
      throw new Error('It needs no id')
    },
    randomBytes: (count) => randomBytes(count),
  })
}
