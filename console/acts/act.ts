import { createContext, useContext } from 'react'
import type { OperationId } from '../api/operations.ts'

/** An act on something: an operation, with what of it is known already. */
export interface Act {
  readonly id: OperationId
  /** The parameters of its path that are known. The form asks for the others. */
  readonly path?: Readonly<Record<string, string>>
  /** What the form begins with: as it is now, for changes. */
  readonly values?: Readonly<Record<string, unknown>>
  /** Members of the body that go along unseen. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Told once it is done, for whoever goes on to the next. */
  readonly onDone?: () => void
}

/** Opens an act, in place of the one that is open. Undefined closes it. */
export type OpenAct = (act: Act | undefined) => void

export const ActContext = createContext<OpenAct>(() => undefined)

/** What opens acts: their dialog belongs to the layout. */
export function useOpenAct(): OpenAct {
  return useContext(ActContext)
}
