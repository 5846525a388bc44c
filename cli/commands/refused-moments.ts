import { fieldMessages } from '../../adapters/http/errors/field-messages.ts'
import { Refused } from '../../application/commands/refused.ts'

/** What a reader of history answers. Rejects with a line for the operator where it refuses: `unknown` if it finds nothing. */
export async function unlessRefused<Found>(asked: Promise<Found>, unknown: string): Promise<Found> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const [fault] = error.refusal.fields
    const text = fault ? `${fieldMessages[fault.code]} (${fault.path}: ${fault.code})` : unknown
    throw new Error(text, { cause: error })
  }
}
