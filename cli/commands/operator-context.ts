import { randomInt } from 'node:crypto'
import type { CommandContext } from '../../application/commands/command-context.ts'
import { systemContext } from '../../application/commands/system-context.ts'
import { composeSnowflake, type Snowflake } from '../../domain/ids/snowflake.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'

/** The bits of an id below its milliseconds. */
const idsInOneMs = 2 ** 22

/** The context of an operator's command at the command line: without a request and an account. */
export function operatorContext(): CommandContext {
  return systemContext('command line', timestamp(Date.now()), newOperatorId)
}

/**
 * A command has no worker id of its own, because running servers may hold any of them. So it draws a random id, and the id's
 * stream shows whether it is free.
 */
export function newOperatorId(): Snowflake {
  return composeSnowflake(Date.now(), randomInt(idsInOneMs))
}
