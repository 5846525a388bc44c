import type { AccountNotes } from '../../application/ports/account-notes.ts'
import type { ReadStates } from '../../application/ports/read-states.ts'
import type { ThreadLookups } from '../../application/ports/thread-lookups.ts'

/** Of a Gateway without threads. */
export const noThreads: ThreadLookups = {
  find: async () => undefined,
  heardBy: async () => new Map(),
  activeFor: async () => [],
  talliesOf: async () => new Map(),
}

/** Of a Gateway without notes. */
export const noNotes: Pick<AccountNotes, 'of' | 'find'> = { of: async () => new Map(), find: async () => undefined }

/** Of a Gateway without read states. */
export const noReadStates: Pick<ReadStates, 'of' | 'forgetLeft'> = {
  of: async () => [],
  forgetLeft: async () => undefined,
}
