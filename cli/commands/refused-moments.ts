import { fieldMessages } from '../../adapters/http/errors/field-messages.ts'
import { Refused } from '../../application/commands/refused.ts'

/** What a reader of history answers. Rejects with a line for the operator where it refuses. */
export async function unlessRefused<Found>(stream: string, asked: Promise<Found>): Promise<Found> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const [fault] = error.refusal.fields
    const text = fault
      ? `${fieldMessages[fault.code]} (${fault.path}: ${fault.code})`
      : `Nothing has happened in ${stream}.`
    throw new Error(text, { cause: error })
  }
}
