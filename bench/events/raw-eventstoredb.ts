import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import type { NewStream } from './invite-created.ts'
import { storedParts } from './invite-created.ts'

/** The unmodified client, which writes the same bytes as the product's adapter. */
export function rawEventStoreDb(url: string) {
  const client = EventStoreDBClient.connectionString(url)
  return {
    client,
    /** `prefix` keeps these events apart from those that the product reads. */
    append: async ({ stream, event }: NewStream, prefix = ''): Promise<void> => {
      const { eventId, type, data, metadata } = storedParts(event)
      const proposal = jsonEvent({ id: eventId, type, data: { ...data }, metadata })
      await client.appendToStream(`${prefix}${stream}`, proposal, { expectedRevision: NO_STREAM })
    },
    close: (): Promise<void> => client.dispose(),
  }
}
