import type { CommandContext } from '../../application/commands/command-context.js'
import { systemContext } from '../../application/commands/system-context.js'
import type { Snowflake } from '../../domain/ids/snowflake.js'
import { timestamp } from '../../domain/kernel/timestamp.js'

/** The context of an operator's command at the command line: without a request and an account. */
export function operatorContext(newId?: () => Snowflake): CommandContext {
  return systemContext('command line', timestamp(Date.now()), newId)
}
