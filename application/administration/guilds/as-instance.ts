import type { CommandContext } from '../../commands/command-context.ts'
import { contextWith } from '../../commands/following-context.ts'

/** The instance changes the guild: its members do not learn which administrator did it, or why. */
export function asInstance(context: CommandContext): CommandContext {
  return contextWith(context, { actor: { kind: 'system', name: 'administration' }, reason: undefined })
}
