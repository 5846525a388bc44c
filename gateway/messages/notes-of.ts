import type { MessageNotice } from '../../application/ports/messages.ts'
import type { Lookups } from '../visibility/lookups.ts'
import type { ChangedNote, FoundMessages } from './found-messages.ts'

const keyOf = ({ recipients, about }: ChangedNote): string => `${recipients?.join() ?? ''} ${about}`

/** What accounts noted by now, where notices say that they changed it. */
export async function notesOf(
  lookups: Pick<Lookups, 'ask'>,
  notices: readonly MessageNotice[],
): Promise<FoundMessages['note']> {
  const changed = notices.flatMap((notice) => (notice.kind === 'note_changed' ? [notice] : []))
  const found = new Map<string, string | undefined>()
  for (const notice of changed) {
    const [account] = notice.recipients ?? []
    if (account !== undefined)
      found.set(keyOf(notice), await lookups.ask(({ notes }) => notes.find(account, notice.about)))
  }
  return (notice) => found.get(keyOf(notice))
}
