import pg, { type ClientBase, type QueryConfig } from 'pg'

export interface Commit {
  /**
   * Called when all statements but the commit were sent. If it throws, nothing is written, and the connection has to be closed.
   */
  readonly beforeCommit?: (() => void) | undefined
  /** Called if `beforeCommit` was called and it turned out that nothing was written. */
  readonly afterRefusal?: (() => void) | undefined
}

/**
 * Runs statements in one transaction, in order. They are sent together and cost one round trip if the client pipelines. If one
 * fails, none of them takes effect, and its error is the result. If the connection breaks, or the commit fails, they may have
 * been written.
 */
export async function sendTogether(
  client: ClientBase,
  statements: readonly QueryConfig[],
  { beforeCommit, afterRefusal }: Commit = {},
): Promise<void> {
  const all = [{ text: 'begin' }, ...statements]
  if (!('pipeline' in client && client.pipeline === true)) return sendInTurn(client, all, beforeCommit)
  const sent = all.map((statement) => client.query(statement))
  // Every promise is awaited: an unhandled rejection would end the process.
  const answered = Promise.allSettled(sent)
  beforeCommit?.()
  const [committed] = await Promise.allSettled([client.query('commit')])
  const failed = (await answered).find((answer) => answer.status === 'rejected')
  if (failed) {
    // Answers come in order: if the server refuses a statement before the commit, the commit does not happen.
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

/** A lost connection undoes its open transaction by itself. */
export const ignore = (): void => undefined
