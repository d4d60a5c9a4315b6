import methods from '../payment-methods-web/en';
import terminals from '../terminals/en';

// The screen is made of parts of these two.
export default { ...methods, ...terminals };
