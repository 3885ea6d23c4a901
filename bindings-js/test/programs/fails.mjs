import { Engine } from 'uzu';

try {
    await Engine.create();
    console.log('no error');
} catch (error) {
    console.log(error.code, error.details.path ?? error.message);
}
