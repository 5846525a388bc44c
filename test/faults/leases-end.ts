/**
 * Ends the leases of dead workers at once: others take a job over when its worker has been silent for half a minute. Call it before
 * the next worker takes a job. `ask` sends one statement to the database of the instance.
 */
export async function jobLeasesEnd(ask: (statement: string) => Promise<unknown>): Promise<void> {
  await ask('delete from job_workers.workers')
  await ask('delete from job_workers.turns')
  await ask(`update job_queue._private_jobs set locked_at = locked_at - interval '1 hour' where locked_at is not null`)
}
