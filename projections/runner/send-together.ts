import pg, { type ClientBase, type QueryConfig } from 'pg'

export interface Commit {
  /** Called when all but the commit are on their way; where it throws, nothing is written, and the connection is to be closed. */
  readonly beforeCommit?: (() => void) | undefined
  /** Called where `beforeCommit` was, and it has turned out that nothing was written. */
  readonly afterRefusal?: (() => void) | undefined
}

/**
 * Runs statements in one transaction, in order. They go out together and cost one round trip where the client pipelines. Where
 * one fails, nothing of them is written, and its error is that of the whole. Where the connection breaks, or the commit fails,
 * they may have been written.
 */
export async function sendTogether(
  client: ClientBase,
  statements: readonly QueryConfig[],
  { beforeCommit, afterRefusal }: Commit = {},
): Promise<void> {
  const all = [{ text: 'begin' }, ...statements]
  if (!('pipeline' in client && client.pipeline === true)) return sendInTurn(client, all, beforeCommit)
  const sent = all.map((statement) => client.query(statement))
  // Each is waited for: the error of one that nobody waits for would end the process.
  const answered = Promise.allSettled(sent)
  beforeCommit?.()
  const [committed] = await Promise.allSettled([client.query('commit')])
  const failed = (await answered).find((answer) => answer.status === 'rejected')
  if (failed) {
    // Answers come in order: what the server refuses before the commit is committed no more.
    if (failed.reason instanceof pg.DatabaseError) afterRefusal?.()
    throw failed.reason
  }
  if (committed.status === 'rejected') throw committed.reason
}

async function sendInTurn(
  client: ClientBase,
  statements: readonly QueryConfig[],
  beforeCommit?: () => void,
): Promise<void> {
  try {
    for (const statement of statements) await client.query(statement)
  } catch (error) {
    await client.query('rollback').catch(ignore)
    throw error
  }
  beforeCommit?.()
  await client.query('commit')
}

/** A connection that is lost undoes what is open by itself. */
export const ignore = (): void => undefined
