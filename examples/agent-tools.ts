/**
 * Gives a language model the operations of a system as tools. A stand-in plays two turns of the model, so that the program
 * runs without an account. A real model takes `toAnthropic(made)` as its `tools`; the loop is the same.
 */
import { callTool, connect, type Tool, toAnthropic, tools } from 'conex'
import { place } from './place.ts'

const asana = connect('asana', { credentials: { token: process.env.ASANA_TOKEN! }, ...place })
const made = await tools(asana, { only: ['workspaces.list', 'users.list'], maxCharacters: 2000 })

interface Call {
  readonly name: string
  readonly input: object
}

const answers: string[] = []
for (let call = model(made, answers); typeof call !== 'string'; call = model(made, answers)) {
  const answer = await callTool(made, call.name, call.input)
  console.log(`${call.name} ${JSON.stringify(call.input)}: ${answer.length} characters`)
  answers.push(answer)
}
console.log(model(made, answers))
await asana.close()

/** Plays the model: looks at the tools and the results, and asks for the next call or sums up. */
function model(offered: readonly Tool[], heard: readonly string[]): Call | string {
  const names = toAnthropic(offered).map(({ name }) => name)
  if (heard.length === 0) return { name: names.find((name) => name.endsWith('workspaces_list'))!, input: {} }
  const read = (text: string) => JSON.parse(text).result as { gid: string; name: string }[]
  if (heard.length === 1) {
    const workspace = read(heard[0]!)[0]!.gid
    return { name: names.find((name) => name.endsWith('users_list'))!, input: { workspace, fields: ['name'] } }
  }
  return `There are ${read(heard[1]!).length} people in ${read(heard[0]!)[0]!.name}.`
}
