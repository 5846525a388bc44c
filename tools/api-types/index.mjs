import openapiTypes, { astToString } from 'openapi-typescript'

/** The types of an OpenAPI document, as the text of a file of TypeScript. */
export async function typesOf(document) {
  return astToString(await openapiTypes(document))
}
