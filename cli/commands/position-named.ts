import { positionInput } from '../../adapters/http/schemas/administration/history.ts'
import { beforeAll, type Position } from '../../domain/kernel/position.ts'

/** The position that `--after` names; that before all events for none. Throws for what is no position. */
export function positionIn(text: string | undefined): Position {
  if (text === undefined) return beforeAll
  const parsed = positionInput.safeParse(text)
  if (!parsed.success) throw new Error(`--after ${text}: must be the position of an event`)
  return parsed.data
}
