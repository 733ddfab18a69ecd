/** Where Asana is: the real one, or the simulated one of `conex simulators` when ASANA_BASE_URL says so. */
export const place =
  process.env.ASANA_BASE_URL === undefined ? {} : { baseUrl: process.env.ASANA_BASE_URL, allowPrivateNetwork: true }
