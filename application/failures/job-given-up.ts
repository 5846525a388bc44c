/** Thrown by a job that nobody is to try again. It stays in the queue with this message, until an operator handles it. */
export class JobGivenUp extends Error {
  override readonly name = 'JobGivenUp'
}
