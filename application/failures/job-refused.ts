/** A job that cannot be stored. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused'
}
