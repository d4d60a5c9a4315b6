import methods from '../payment-methods-web/hu';
import terminals from '../terminals/hu';

// The screen is made of parts of these two.
export default { ...methods, ...terminals };
