import type { CommandContext } from '../../application/commands/command-context.js'
import { systemContext } from '../../application/commands/system-context.js'
import type { Snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'

/** The context of a command of the operator at the command line: no request, no account. */
export function operatorContext(newId?: () => Snowflake): CommandContext {
  return systemContext('command line', timestamp(Date.now()), newId)
}
