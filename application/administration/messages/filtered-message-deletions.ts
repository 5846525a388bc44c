import { messageId, type MessageId } from '../../../domain/ids/ids.ts'
import { composeSnowflake } from '../../../domain/ids/snowflake.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import { languageOf, type Language } from '../../../domain/text/languages.ts'
import { wantedPlaces } from '../../conversations/messages/wanted-places.ts'
import { tellByService, type ServiceMessageNeeds } from '../../conversations/private-channels/tell-by-service.ts'
import type { PlacedMessage, ShredProgress } from '../../ports/author-messages.ts'
import type { BackgroundTasks, BegunJob } from '../../ports/background-jobs.ts'
import type { BackgroundTaskWork } from '../jobs/run-background-job.ts'
import { newestBefore, shredChunk } from './delete-all-messages.ts'
import { shredFound, type ShredNeeds } from './shred-found.ts'

type Needs = ShredNeeds & ServiceMessageNeeds
type Work = BackgroundTasks['delete_filtered_messages']
type IsWanted = (place: PlacedMessage) => Promise<boolean>

/**
 * The work of the job that deletes the messages a filter wants. Whether the filter wants a channel is looked up when
 * the job reaches that channel, not when it is ordered. At the end the service writes to the author how many messages
 * it deleted (rules/users#delete-all-messages).
 */
export function deletingFilteredMessages(ports: Needs): BackgroundTaskWork {
  return {
    chunk: shredChunk,
    async run({ jobId, work, total }, _, to, { now }) {
      const wish = filtered(work)
      const isWanted = onceForEachChannel(wantedPlaces(ports, wish.author, wish.filter, now))
      await shredWanted(ports, jobId, wish, { isWanted, isLast: to >= total })
    },
    async finish({ jobId, work, createdAt }, context) {
      const { author } = filtered(work)
      const { state } = await ports.aggregates.account.load(author)
      if (state.status !== 'registered') return
      const { deleted_count } = await ports.authorMessages.shredded(jobId)
      const content = texts[languageOf(state.locale)](deleted_count)
      await tellByService(ports, author, { content, cause: `deletion ${jobId}`, at: createdAt }, context)
    },
  }
}

// Only deleteFilteredMessages stores this task.
const filtered = (work: unknown) => work as Work

const texts: Readonly<Record<Language, (count: number) => string>> = {
  en: (count) => `The deletion of your messages is complete. Deleted messages: ${count}.`,
  de: (count) => `Deine Nachrichten sind gelöscht. Gelöschte Nachrichten: ${count}.`,
}

/**
 * Deletes the wanted ones of the next messages of the author, from where the job is, at most `shredChunk`; the last part goes on
 * to the end.
 */
async function shredWanted(
  ports: Needs,
  jobId: BegunJob['jobId'],
  { author, upTo, filter: { from, until } }: Work,
  { isWanted, isLast }: { readonly isWanted: IsWanted; readonly isLast: boolean },
): Promise<void> {
  const span = {
    ...(from === null ? {} : { from: messageId(composeSnowflake(msOf(from), 0)) }),
    upTo: until === null ? upTo : lowerOf(upTo, newestBefore(until)),
  }
  let { last: after } = await ports.authorMessages.shredded(jobId)
  let found: readonly PlacedMessage[] = []
  do {
    found = await ports.authorMessages.page(author, { ...span, after, limit: shredChunk })
    const last = found.at(-1)
    if (!last) return
    const wanted: PlacedMessage[] = []
    for (const message of found) if (await isWanted(message)) wanted.push(message)
    await shredFound(ports, { jobId, authorId: author }, wanted)
    after = (await isWanted(last)) ? last : endOf(last, span.upTo)
    if (wanted.at(-1) !== last) await ports.authorMessages.pass(jobId, after)
  } while (isLast && found.length === shredChunk)
}

/** The rest of a channel that is not wanted is passed over at once. */
const endOf = ({ channelId }: PlacedMessage, upTo: MessageId): NonNullable<ShredProgress['last']> => ({
  channelId,
  messageId: upTo,
})

const lowerOf = (one: MessageId, other: MessageId): MessageId => (BigInt(one) < BigInt(other) ? one : other)

/** Messages come channel by channel, so only the last answer is kept. */
function onceForEachChannel(isWanted: IsWanted): IsWanted {
  let known: { readonly channelId: string; readonly answer: boolean } | undefined
  return async (place) => {
    if (known?.channelId !== place.channelId) known = { channelId: place.channelId, answer: await isWanted(place) }
    return known.answer
  }
}
