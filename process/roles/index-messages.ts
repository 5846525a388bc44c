import type { OpenMessages } from '../../adapters/messages/open-messages.ts'
import type { Base } from './base.ts'
import { repeatedly } from './repeatedly.ts'

const looks_ms = 10_000

/** Puts messages that changed other than by an edit, and those of a version before or of a backup, into the index of words. */
export function indexMessages({ options, closings, onError }: Base, messages: OpenMessages | undefined): void {
  if (!messages) return
  const indexing = repeatedly(options.looks_ms ?? looks_ms, () => messages.indexMissing(), onError)
  closings.add(() => indexing.stop())
}
